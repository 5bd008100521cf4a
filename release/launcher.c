/* Korgool.exe: starts the interpreter beside it. A double click serves the page and opens it; words after the name are a
 * command of korgool. Where serving ends badly the window stays until Enter is pressed, for its message to be read.
 *
 * Nothing but kernel32 is needed, so zig need not compile a C runtime. */
#include <stddef.h>
#include <stdint.h>

typedef void *handle;
typedef struct {
    uint32_t size;
    wchar_t *reserved, *desktop, *title;
    uint32_t numbers[7], flags;
    uint16_t show, reserved_size;
    uint8_t *reserved_bytes;
    handle input, output, error;
} startup;
typedef struct {
    handle process, thread;
    uint32_t process_id, thread_id;
} started;

#define SYSTEM __declspec(dllimport)
SYSTEM uint32_t __stdcall GetModuleFileNameW(handle module, wchar_t *path, uint32_t size);
SYSTEM wchar_t *__stdcall GetCommandLineW(void);
SYSTEM int32_t __stdcall CreateProcessW(const wchar_t *program, wchar_t *line, void *process, void *thread, int32_t inherit,
                                        uint32_t flags, void *environment, const wchar_t *folder, startup *with,
                                        started *made);
SYSTEM uint32_t __stdcall WaitForSingleObject(handle object, uint32_t milliseconds);
SYSTEM int32_t __stdcall GetExitCodeProcess(handle process, uint32_t *code);
SYSTEM int32_t __stdcall SetConsoleCtrlHandler(void *handler, int32_t add);
SYSTEM handle __stdcall GetStdHandle(uint32_t number);
SYSTEM int32_t __stdcall ReadFile(handle file, void *bytes, uint32_t size, uint32_t *read, void *overlapped);
SYSTEM __attribute__((noreturn)) void __stdcall ExitProcess(uint32_t code);

enum { LONGEST = 32767, FOREVER = -1, INPUT = -10, NOT_STARTED = 111 };

static wchar_t program[LONGEST + 1], line[LONGEST + 1];
static uint32_t length;

/* Ctrl-C is for the interpreter, which ends in order; the launcher waits for it. */
static int32_t __stdcall stay(uint32_t event) {
    return event <= 1;
}

static void add(const wchar_t *text) {
    while (*text && length < LONGEST)
        line[length++] = *text++;
}

/* What follows the program's own name on the command line. */
static const wchar_t *words(void) {
    const wchar_t *text = GetCommandLineW();
    for (int quoted = 0; *text && (quoted || (*text != L' ' && *text != L'\t')); text++)
        quoted ^= *text == L'"';
    while (*text == L' ' || *text == L'\t')
        text++;
    return text;
}

void mainCRTStartup(void) {
    uint32_t end = GetModuleFileNameW(0, program, LONGEST);
    while (end && program[end - 1] != L'\\')
        end--;
    const wchar_t *python = L"python\\python.exe", *given = words();
    for (uint32_t at = 0; end < LONGEST && (program[end] = python[at]); at++)
        end++;
    program[end] = 0;
    add(L"\"");
    add(program);
    add(L"\" -X utf8 -m korgool ");
    add(*given ? given : L"serve --open");
    line[length] = 0;
    SetConsoleCtrlHandler((void *)(uintptr_t)stay, 1);
    startup with = {.size = sizeof with};
    started made = {0};
    uint32_t code = NOT_STARTED;
    if (CreateProcessW(program, line, 0, 0, 1, 0, 0, 0, &with, &made)) {
        WaitForSingleObject(made.process, (uint32_t)FOREVER);
        GetExitCodeProcess(made.process, &code);
    }
    uint8_t byte = 0;
    uint32_t read = 0;
    if (code && !*given)
        while (ReadFile(GetStdHandle((uint32_t)INPUT), &byte, 1, &read, 0) && read && byte != '\n')
            ;
    ExitProcess(code);
}
