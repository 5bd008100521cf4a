"""The officials' log: what each action does to an event, replay, and taking lines back."""
