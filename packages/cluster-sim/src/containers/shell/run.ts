import { readOwn, writeOwn } from '@nodewright/apis';
import { evaluateArithmetic } from './arithmetic.ts';
import { parseScript } from './parse.ts';
import { isContainerFolder, resolvedPath } from './paths.ts';
import { shellPrograms } from './programs.ts';
import { type ContainerSurroundings, writeComplaint, endWith, type RunningProgram, type ShellAction } from './steps.ts';
import {
  type Pipeline,
  type Redirection,
  type Script,
  type ScriptCommand,
  type ScriptWord,
  ShellSyntaxError,
  type SimpleCommand,
  type WordPart,
} from './syntax.ts';

/** The variables and the folder of a shell, and whether it has ended. */
type ShellState = {
  readonly around: ContainerSurroundings;
  readonly positional: readonly string[];
  variables: Readonly<Record<string, string>>;
  folder: string;
  lastCode: number;
  isOver: boolean;
  /** How the innermost loop goes on, after `break` or `continue`. */
  jump: 'break' | 'continue' | undefined;
};

const notFound = 127;

const newShell = (around: ContainerSurroundings, positional: readonly string[] = []): ShellState => ({
  around,
  positional,
  variables: around.environment,
  folder: '/',
  lastCode: 0,
  isOver: false,
  jump: undefined,
});

/** Runs the command of a container or of `exec`, without a shell around it. */
export function runCommand(around: ContainerSurroundings, command: readonly string[]): RunningProgram {
  return runProgram(newShell(around), command);
}

/** A shell that keeps its variables and its folder from line to line. */
export class InteractiveShell {
  readonly #state: ShellState;

  constructor(around: ContainerSurroundings) {
    this.#state = newShell(around);
  }

  /** After `exit`. */
  get isOver(): boolean {
    return this.#state.isOver;
  }

  get folder(): string {
    return this.#state.folder;
  }

  run(line: string): RunningProgram {
    return runText(this.#state, line, 'sh');
  }
}

function* runText(state: ShellState, text: string, shell: string): RunningProgram {
  try {
    return yield* runScript(state, parseScript(text));
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
    yield writeComplaint(`${shell}: ${error.message}`);
    return 2;
  }
}

function* runScript(state: ShellState, script: Script): RunningProgram {
  for (const { after, pipeline } of script) {
    if (state.isOver || state.jump !== undefined) break;
    if (after === 'success' && state.lastCode !== 0) continue;
    if (after === 'failure' && state.lastCode === 0) continue;
    state.lastCode = yield* runPipeline(state, pipeline);
  }
  return state.lastCode;
}

function* runPipeline(state: ShellState, { isNegated, commands }: Pipeline): RunningProgram {
  let input: string | undefined;
  let code = 0;
  for (const [index, command] of commands.entries()) {
    const running = withInput(runShellCommand(state, command), input);
    if (index === commands.length - 1) code = yield* running;
    else input = yield* collectOutput(running);
  }
  return isNegated ? Number(code === 0) : code;
}

/** @param input what the command before it wrote; without it, it reads the input of the shell */
function* withInput(running: RunningProgram, input: string | undefined): RunningProgram {
  if (input === undefined) return yield* running;
  let unread: string | undefined = input === '' ? undefined : input;
  let next = running.next();
  while (next.done !== true) {
    if (next.value.kind === 'read') {
      next = running.next(unread);
      unread = undefined;
    } else next = running.next(yield next.value);
  }
  return next.value;
}

function* collectOutput(running: RunningProgram): Generator<ShellAction, string, string | undefined> {
  let output = '';
  let next = running.next();
  while (next.done !== true) {
    const action = next.value;
    if (action.kind === 'write' && action.to === 'stdout') {
      output += action.text;
      next = running.next();
    } else next = running.next(yield action);
  }
  return output;
}

function* runShellCommand(state: ShellState, command: ScriptCommand): RunningProgram {
  switch (command.kind) {
    case 'simple':
      return yield* runSimple(state, command);
    case 'group':
      return yield* runScript(state, command.body);
    case 'choice': {
      const holds = (yield* runScript(state, command.condition)) === 0;
      if (state.isOver) return state.lastCode;
      state.lastCode = 0;
      return yield* runScript(state, holds ? command.chosen : command.otherwise);
    }
    case 'each': {
      for (const value of yield* expandWords(state, command.words)) {
        state.variables = { ...state.variables, [command.name]: value };
        yield* runScript(state, command.body);
        if (leavesLoop(state)) break;
      }
      return state.lastCode;
    }
    case 'loop': {
      while (((yield* runScript(state, command.condition)) === 0) !== command.until && !state.isOver) {
        yield* runScript(state, command.body);
        if (leavesLoop(state)) break;
        // A loop that never waits would otherwise never let other work go on.
        yield { kind: 'sleep', ms: 0 };
      }
      return state.isOver ? state.lastCode : 0;
    }
  }
}

/** Whether a loop ends after a turn. The jump of that turn has then had its effect. */
function leavesLoop(state: ShellState): boolean {
  const { jump, isOver } = state;
  state.jump = undefined;
  return isOver || jump === 'break';
}

function* runSimple(state: ShellState, command: SimpleCommand): RunningProgram {
  const assigned: Record<string, string> = {};
  for (const { name, value } of command.assignments)
    writeOwn(assigned, name, (yield* expandWord(state, value)).join(' '));
  const words = yield* expandWords(state, command.words);
  if (words.length === 0) {
    state.variables = { ...state.variables, ...assigned };
    return 0;
  }
  const inner: ShellState = { ...state, variables: { ...state.variables, ...assigned } };
  const isOwn = builtIns.has(words[0] ?? '');
  return yield* redirect(runProgram(isOwn ? state : inner, words), command.redirections);
}

function* redirect(running: RunningProgram, redirections: readonly Redirection[]): RunningProgram {
  if (redirections.length === 0) return yield* running;
  const target = { stdout: 'stdout', stderr: 'stderr' } as Record<'stdout' | 'stderr', Redirection['to']>;
  for (const { from, to } of redirections) target[from] = to === 'nowhere' ? to : target[to];
  let next = running.next();
  while (next.done !== true) {
    const action = next.value;
    if (action.kind !== 'write') next = running.next(yield action);
    else {
      const to = target[action.to];
      if (to !== 'nowhere') yield { ...action, to };
      next = running.next();
    }
  }
  return next.value;
}

type BuiltIn = (state: ShellState, args: readonly string[]) => RunningProgram;

const doNothing: BuiltIn = () => endWith(0);

function leaveTurn(jump: 'break' | 'continue'): BuiltIn {
  return (state) => {
    state.jump = jump;
    return endWith(0);
  };
}

const builtIns: ReadonlyMap<string, BuiltIn> = new Map<string, BuiltIn>([
  ['exit', exitShell],
  ['cd', changeFolder],
  ['export', exportVariables],
  ['exec', (state, args) => runProgram(state, args)],
  ['break', leaveTurn('break')],
  ['continue', leaveTurn('continue')],
  ['set', doNothing],
  ['trap', doNothing],
  ['wait', doNothing],
  ['umask', doNothing],
]);

function exitShell(state: ShellState, [code]: readonly string[]): RunningProgram {
  state.isOver = true;
  return endWith(code === undefined ? state.lastCode : Number(code) & 255);
}

function* changeFolder(state: ShellState, [name = '/root']: readonly string[]): RunningProgram {
  const path = resolvedPath(state.folder, name);
  if (!isContainerFolder(state.around.files, path)) {
    yield writeComplaint(`sh: cd: can't cd to ${name}: No such file or directory`);
    return 2;
  }
  state.folder = path;
  return 0;
}

function exportVariables(state: ShellState, args: readonly string[]): RunningProgram {
  const entries = args
    .filter((arg) => arg.includes('='))
    .map((arg): [string, string] => splitVariable(arg, arg.indexOf('=')));
  state.variables = { ...state.variables, ...Object.fromEntries(entries) };
  return endWith(0);
}

const splitVariable = (text: string, at: number): [string, string] => [text.slice(0, at), text.slice(at + 1)];

function* runProgram(state: ShellState, [path = '', ...args]: readonly string[]): RunningProgram {
  const { around, variables: environment, folder } = state;
  const name = /^\/(usr\/)?(local\/)?s?bin\/([^/]+)$/.exec(path)?.[3] ?? path;
  const builtIn = builtIns.get(name);
  if (builtIn !== undefined) return yield* builtIn(state, args);
  if (name === 'sh' || name === 'bash' || name === 'ash') {
    return yield* runNestedShell({ ...newShell({ ...around, environment }), folder }, name, args);
  }
  if (name === 'env' && args.length > 0) return yield* runWithEnvironment(state, args);
  if (name === 'timeout') return yield* runProgram(state, args.slice(args[0] === '-k' ? 3 : 1));
  const program = shellPrograms.get(name);
  if (program === undefined) {
    yield writeComplaint(`sh: ${path}: not found`);
    return notFound;
  }
  return yield* program({ name, args, environment, folder, around });
}

/** `env NAME=value COMMAND`. */
function* runWithEnvironment(state: ShellState, args: readonly string[]): RunningProgram {
  const count = args.findIndex((arg) => !arg.includes('='));
  const assigned = args.slice(0, count < 0 ? args.length : count).map((arg) => splitVariable(arg, arg.indexOf('=')));
  const variables = { ...state.variables, ...Object.fromEntries(assigned) };
  return yield* runProgram({ ...state, variables }, count < 0 ? ['env'] : args.slice(count));
}

/** `sh -c SCRIPT`, or a script that comes as input. */
function* runNestedShell(state: ShellState, shell: string, args: readonly string[]): RunningProgram {
  const flag = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  if (flag >= 0) {
    const [script = '', ...positional] = args.slice(flag + 1);
    return yield* runText({ ...state, positional }, script, shell);
  }
  let code = 0;
  for (let piece = yield { kind: 'read' }; piece !== undefined && !state.isOver; piece = yield { kind: 'read' }) {
    code = yield* runText(state, piece, shell);
    if (state.isOver) break;
  }
  return code;
}

type Expanding<T> = Generator<ShellAction, T, string | undefined>;

function* expandWords(state: ShellState, words: readonly ScriptWord[]): Expanding<readonly string[]> {
  const expanded: string[] = [];
  for (const word of words) expanded.push(...(yield* expandWord(state, word)));
  return expanded;
}

/** What a word becomes: one text, or several where a variable outside quotes has blanks; none where it is empty. */
function* expandWord(state: ShellState, word: ScriptWord): Expanding<readonly string[]> {
  let current: string | undefined;
  const found: string[] = [];
  for (const part of word) {
    const text = yield* expandPart(state, part);
    if (part.kind === 'text' || part.isQuoted) current = (current ?? '') + text;
    else {
      const [first, ...rest] = text.split(/\s+/);
      if (text.trim() === '') continue;
      current = (current ?? '') + (first ?? '');
      for (const piece of rest) {
        if (current !== '') found.push(current);
        current = piece;
      }
    }
  }
  return current === undefined ? found : [...found, current];
}

function* expandPart(state: ShellState, part: WordPart): Expanding<string> {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'variable') return valueOf(state, part.name) || part.otherwise;
  if (part.kind === 'sum') {
    const expression = (yield* expandWord(state, part.expression)).join(' ');
    return String(evaluateArithmetic(expression, (name) => valueOf(state, name)));
  }
  const output = yield* collectOutput(runText({ ...state }, part.script, 'sh'));
  return output.replace(/\n+$/, '');
}

function valueOf({ variables, lastCode, positional }: ShellState, name: string): string {
  if (name === '?') return String(lastCode);
  if (name === '$') return '1';
  if (name === '@' || name === '*') return positional.slice(1).join(' ');
  if (/^\d+$/.test(name)) return positional[Number(name)] ?? '';
  return readOwn(variables, name) ?? '';
}
