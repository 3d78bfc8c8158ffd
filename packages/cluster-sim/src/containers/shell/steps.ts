import type { Instant } from '@nodewright/apis';
import type { OutputStream } from './syntax.ts';

/**
 * What a program in a container does to the world outside it. `read` is answered with the next piece of its input,
 * `undefined` at its end.
 */
export type ShellAction =
  | { readonly kind: 'write'; readonly to: OutputStream; readonly text: string }
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'read' };

/** A program that runs: its actions one after the other, and its exit code. */
export type RunningProgram = Generator<ShellAction, number, string | undefined>;

/** What a program finds in its container. */
export type ContainerSurroundings = {
  readonly hostname: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Texts of the files by their path. */
  readonly files: Readonly<Record<string, string>>;
  readonly kernel: { readonly release: string; readonly architecture: string };
  readonly now: () => Instant;
};

export type ProgramCall = {
  readonly name: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly around: ContainerSurroundings;
};

export type Program = (call: ProgramCall) => RunningProgram;

export const writeOut = (text: string): ShellAction => ({ kind: 'write', to: 'stdout', text });
export const writeLine = (text: string): ShellAction => writeOut(`${text}\n`);
export const writeComplaint = (text: string): ShellAction => ({ kind: 'write', to: 'stderr', text: `${text}\n` });

/** A program that does nothing outside itself. */
export function* endWith(code: number): RunningProgram {
  yield* noActions;
  return code;
}

const noActions: readonly ShellAction[] = [];
