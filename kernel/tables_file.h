/* The table file: a header, then a section for each unit with the file's number of tuz, in the order of the units.
 *
 * A section is its header, the palette, the entries of its planes one after the other, and a grain that begins with the
 * digest of all three. Every part is filled up with zeros to whole grains. A file in the making is a header and some
 * whole sections, so a build that was killed goes on behind the last one whose digest fits. Little-endian. */
#ifndef KORGOOL_TABLES_FILE_H
#define KORGOOL_TABLES_FILE_H

#include "tables.h"

#define KG_TABLE_MAGIC UINT64_C(0x0a544c4f4f47524b) /* "KRGOOLT" and a line end, which careless copying alters */

enum { KG_TABLE_GRAIN = 32, KG_TABLE_SECTION = 0x4353474b };

typedef struct {
    uint64_t magic;
    uint32_t version, layer, tuz, sections;
    kg_stored_rules rules;
    uint32_t later;
    uint64_t padding;
    uint64_t digest; /* of all before it, in whole grains */
    uint64_t rest[3];
} kg_file_header;

typedef struct {
    uint32_t magic, unit, bits, colours;
    uint64_t count, palette_bytes, data_bytes;
    uint32_t planes, reserved;
    uint64_t rest[2];
} kg_section;

_Static_assert(sizeof(kg_file_header) == 128, "the header is four grains");
_Static_assert(sizeof(kg_section) == 64, "a section's header is two grains");

typedef struct {
    uint64_t lane[4];
} kg_digest;

KG_INLINE uint64_t kg_load(const uint8_t *at) {
    uint64_t word = 0;
    for (int byte = 7; byte >= 0; byte--)
        word = word << 8 | at[byte];
    return word;
}

KG_INLINE uint64_t kg_grains(uint64_t bytes) {
    return (bytes + KG_TABLE_GRAIN - 1) / KG_TABLE_GRAIN * KG_TABLE_GRAIN;
}

kg_rules kg_table_rules(const kg_rules *rules);

KG_API void kg_digest_begin(kg_digest *digest);
/* Only whole grains; a rest is not read. */
KG_API void kg_digest_add(kg_digest *digest, const uint8_t *bytes, uint64_t length);
KG_API uint64_t kg_digest_end(const kg_digest *digest);
KG_API void kg_table_header(const kg_tables *tables, int32_t layer, int32_t tuz, kg_file_header *header);
/* Positions of one plane of a unit. */
KG_API uint64_t kg_table_count(const kg_tables *tables, int32_t layer, int32_t unit);
/* 1 where both sides of the unit look alike, else 2. */
KG_API int32_t kg_table_planes(const kg_tables *tables, int32_t unit);
KG_API void kg_table_section(const kg_tables *tables, int32_t layer, int32_t unit, uint32_t bits, uint32_t colours,
                             kg_section *section);
KG_API int64_t kg_table_check(const kg_tables *tables, int32_t layer, int32_t unit, const uint8_t *bytes,
                              uint64_t length);

#endif
