export type LogLine = {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly logger: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

/** Differs from turn to turn. */
const turnField = 'reconcileID';
/** Hold sentences in which figures, times and ids of requests change while the statement stays the same. */
const worded: ReadonlySet<string> = new Set(['error', 'errors', 'issue', 'duration']);

/**
 * What a line says, as a key: lines of equal keys are one statement that is repeated. Warnings and errors with other
 * figures, times or request ids are the same statement; other objects make another one.
 */
export function logStatement({ level, logger, message, fields }: LogLine): string {
  const isTrouble = level === 'warn' || level === 'error';
  const said = Object.entries(fields)
    .filter(([name]) => name !== turnField)
    .map(([name, value]) => [name, isTrouble ? withoutFigures(name, value) : value]);
  return JSON.stringify([level, logger, message, said]);
}

function withoutFigures(name: string, value: unknown): unknown {
  if (typeof value === 'number') return '#';
  return worded.has(name) ? JSON.stringify(value)?.replace(figures, '#') : value;
}

/** Numbers with their signs and points, hexadecimal ids, times. */
const figures = /[0-9a-f.:-]*\d[0-9a-f.:-]*/gi;
