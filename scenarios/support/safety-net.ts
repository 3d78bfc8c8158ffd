/**
 * How long, in real time, a test waits for what has to come before it fails instead of hanging. No test needs it: whoever
 * waits, waits for an event or a state. It is long, because the machine may be slow and busy.
 */
export const safetyNetMs = 600_000;
