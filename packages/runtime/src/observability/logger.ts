import { minutes } from '@nodewright/apis';
import { pino, type Logger as Pino } from 'pino';
import type { Clock } from '../clock.ts';
import { logStatement } from './log-statement.ts';
import { Repetitions, type RepetitionPolicy } from './repetitions.ts';
import { Sampler } from './sampler.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type LogFields = Readonly<Record<string, unknown>>;

/** Says what happened, once, with structure. Fields that are `undefined` are left out; errors become their messages. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same logger with `.name` appended to its own name: `controller` becomes `controller.provisioner`. */
  named(name: string): Logger;
  /** The same logger with fields in every line, before those of the line; they are asked for when the first is written. */
  with(fields: () => LogFields): Logger;
}

export type LoggerOptions = {
  readonly clock: Pick<Clock, 'now'>;
  /** Gets whole lines, each with its newline. */
  readonly sink: { write(line: string): void };
  /** The least that is written [info]. */
  readonly level?: LogLevel;
  /** Which build speaks: the start of its commit id. */
  readonly commit?: string;
  /** [controller] */
  readonly name?: string;
};

/**
 * One JSON object per line: `level`, `time`, `logger`, `message`, `commit`, then the fields as given.
 *
 * Guarantees: of equal messages in one second the first 100 are written, then each 100th. A line that says what
 * another one said is written after growing rests, from one minute to half an hour, and `repeated` tells how often it
 * came since: warnings and errors from the second one on, `info` from the eleventh. Lines of level `debug` are all
 * written.
 */
export function createLogger({ clock, sink, level = 'info', commit, name = 'controller' }: LoggerOptions): Logger {
  const root = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label.toUpperCase() }) },
    },
    sink,
  );
  const always = commit === undefined ? {} : { commit };
  const shared = { root, sampler: new Sampler(clock), repetitions: new Repetitions(clock, mostStatements) };
  return new PinoLogger(shared, name, () => always);
}

/** Says nothing. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  named: () => silentLogger,
  with: () => silentLogger,
};

/** What a logger and the loggers made from it share. */
type Shared = { readonly root: Pino; readonly sampler: Sampler; readonly repetitions: Repetitions };

/** Memory for repeated lines is bounded, however many objects are in trouble. */
const mostStatements = 4_096;

const logRepetitionPolicies: Readonly<Record<Exclude<LogLevel, 'debug'>, RepetitionPolicy>> = {
  info: { firstMs: minutes(1), atOnce: 10 },
  warn: { firstMs: minutes(1) },
  error: { firstMs: minutes(1) },
};

class PinoLogger implements Logger {
  readonly #shared: Shared;
  readonly #pino: Pino;
  readonly #name: string;
  readonly #always: () => LogFields;

  constructor(shared: Shared, name: string, always: () => LogFields, pino = shared.root.child({ logger: name })) {
    this.#shared = shared;
    this.#pino = pino;
    this.#name = name;
    this.#always = always;
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#write('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields);
  }

  named(name: string): Logger {
    return new PinoLogger(this.#shared, `${this.#name}.${name}`, this.#always);
  }

  with(fields: () => LogFields): Logger {
    let all: LogFields | undefined;
    const always = (): LogFields => (all ??= { ...this.#always(), ...fields() });
    return new PinoLogger(this.#shared, this.#name, always, this.#pino);
  }

  #write(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (!this.#pino.isLevelEnabled(level) || !this.#shared.sampler.lets(`${level} ${message}`)) return;
    const printed = { ...this.#always(), ...printable(fields) };
    const times = level === 'debug' ? 1 : this.#timesToTell(level, message, printed);
    if (times === 0) return;
    // As a field, not as pino's message: that one would come last in the line.
    this.#pino[level]({ message, ...printed, ...(times > 1 && { repeated: times }) });
  }

  #timesToTell(level: Exclude<LogLevel, 'debug'>, message: string, fields: LogFields): number {
    const statement = logStatement({ level, logger: this.#name, message, fields });
    return this.#shared.repetitions.timesToTell(statement, logRepetitionPolicies[level]);
  }
}

const printable = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? withCauses(value) : value]),
  );

/** `could not launch: RequestLimitExceeded`; a cause that the message already quotes is not repeated. */
function withCauses(error: Error): string {
  const { cause } = error;
  if (!(cause instanceof Error) || error.message.includes(cause.message)) return error.message;
  return `${error.message}: ${withCauses(cause)}`;
}
