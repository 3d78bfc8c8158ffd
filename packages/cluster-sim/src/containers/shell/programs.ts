import { days, hours, minutes, readOwn, seconds } from '@nodewright/apis';
import { folderEntries, isContainerFolder, resolvedPath } from './paths.ts';
import {
  writeComplaint,
  endWith,
  type Program,
  type ProgramCall,
  type RunningProgram,
  writeLine,
  writeOut,
} from './steps.ts';

/** The programs that every container has. */
export const shellPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['true', exitWith(0)],
  [':', exitWith(0)],
  ['false', exitWith(1)],
  ['echo', echo],
  ['printf', printFormatted],
  ['cat', showFiles],
  ['ls', listFolder],
  ['env', showEnvironment],
  ['printenv', printVariables],
  ['seq', countUp],
  ['sleep', sleep],
  ['hostname', ({ around }) => printOne(around.hostname)],
  ['nproc', () => printOne('2')],
  ['pwd', ({ folder }) => printOne(folder)],
  ['whoami', () => printOne('root')],
  ['id', ({ args }) => printOne(args[0] === '-u' || args[0] === '-g' ? '0' : 'uid=0(root) gid=0(root) groups=0(root)')],
  ['uname', showKernel],
  ['date', showDate],
  ['tail', showEnd],
  ['head', showStart],
  ['grep', showMatches],
  ['wc', countLines],
  ['test', testFile],
  ['[', testFile],
  ['tar', refuseWith('the sandbox plays containers, which have no files to copy')],
  ['kill', exitWith(0)],
  ['sync', exitWith(0)],
]);

function exitWith(code: number): Program {
  return () => endWith(code);
}

function refuseWith(because: string): Program {
  return function* ({ name }) {
    yield writeComplaint(`${name}: ${because}`);
    return 1;
  };
}

function* printOne(text: string): RunningProgram {
  yield writeLine(text);
  return 0;
}

function* echo({ args }: ProgramCall): RunningProgram {
  const options = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
  const flags = args.slice(0, options < 0 ? args.length : options).join('');
  const text = args.slice(options < 0 ? args.length : options).join(' ');
  const shown = flags.includes('e') ? withEscapes(text) : text;
  yield writeOut(flags.includes('n') ? shown : `${shown}\n`);
  return 0;
}

const echoEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

const withEscapes = (text: string): string =>
  text.replaceAll(/\\([ntr\\])/g, (all, letter: string) => readOwn(echoEscapes, letter) ?? all);

function* printFormatted({ args: [format = '', ...values] }: ProgramCall): RunningProgram {
  const left = [...values];
  const shown = withEscapes(format).replaceAll(/%[sd%]/g, (found) => (found === '%%' ? '%' : (left.shift() ?? '')));
  yield writeOut(shown);
  return 0;
}

function* showFiles(call: ProgramCall): RunningProgram {
  const names = call.args.filter((arg) => !arg.startsWith('-'));
  if (names.length === 0) return yield* copyInput();
  let code = 0;
  for (const name of names) {
    const text = fileText(call, name);
    if (text === undefined) {
      yield writeComplaint(`cat: ${name}: ${isFolderOf(call, name) ? 'Is a directory' : 'No such file or directory'}`);
      code = 1;
    } else yield writeOut(text);
  }
  return code;
}

function* copyInput(): RunningProgram {
  for (let piece = yield { kind: 'read' }; piece !== undefined; piece = yield { kind: 'read' }) yield writeOut(piece);
  return 0;
}

function* readInput(call: ProgramCall): Generator<{ readonly kind: 'read' }, string, string | undefined> {
  const name = call.args.filter((arg, at) => !arg.startsWith('-') && !/^-[nc]$/.test(call.args[at - 1] ?? '')).at(-1);
  const file = name === undefined ? undefined : fileText(call, name);
  if (file !== undefined) return file;
  let text = '';
  for (let piece = yield { kind: 'read' }; piece !== undefined; piece = yield { kind: 'read' }) text += piece;
  return text;
}

const fileText = ({ around, folder }: ProgramCall, name: string): string | undefined =>
  /^\/dev\/null$/.test(name) ? '' : readOwn(around.files, resolvedPath(folder, name));

const isFolderOf = ({ around, folder }: ProgramCall, name: string): boolean =>
  isContainerFolder(around.files, resolvedPath(folder, name));

function* listFolder(call: ProgramCall): RunningProgram {
  const named = call.args.filter((arg) => !arg.startsWith('-'));
  let code = 0;
  for (const name of named.length === 0 ? [call.folder] : named) {
    if (fileText(call, name) !== undefined) yield writeLine(name);
    else if (isFolderOf(call, name)) {
      const entries = folderEntries(call.around.files, resolvedPath(call.folder, name));
      yield writeOut(entries.map((entry) => `${entry}\n`).join(''));
    } else {
      yield writeComplaint(`ls: ${name}: No such file or directory`);
      code = 1;
    }
  }
  return code;
}

function* showEnvironment({ environment }: ProgramCall): RunningProgram {
  for (const [name, value] of Object.entries(environment)) yield writeLine(`${name}=${value}`);
  return 0;
}

function* printVariables(call: ProgramCall): RunningProgram {
  if (call.args.length === 0) return yield* showEnvironment(call);
  let code = 0;
  for (const name of call.args) {
    const value = readOwn(call.environment, name);
    if (value === undefined) code = 1;
    else yield writeLine(value);
  }
  return code;
}

/** `seq LAST`, `seq FIRST LAST`, `seq FIRST STEP LAST`. */
function* countUp({ args }: ProgramCall): RunningProgram {
  const [first = 1, last = 1, step = 1] =
    args.length === 1 ? [1, Number(args[0])] : [args[0], args.at(-1), args.length === 3 ? args[1] : 1].map(Number);
  if (step === 0 || [first, last, step].some((each) => !Number.isInteger(each))) {
    yield writeComplaint('seq: invalid number');
    return 1;
  }
  const count = Math.min(mostCounted, Math.max(0, Math.floor((last - first) / step) + 1));
  yield writeOut(Array.from({ length: count }, (_, at) => `${first + at * step}\n`).join(''));
  return 0;
}

const mostCounted = 100_000;

const sleepUnitsMs: Readonly<Record<string, number>> = {
  '': seconds(1),
  s: seconds(1),
  m: minutes(1),
  h: hours(1),
  d: days(1),
};

function* sleep({ args }: ProgramCall): RunningProgram {
  let ms = 0;
  for (const arg of args) {
    const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(arg) ?? [];
    if (amount === undefined && arg !== 'infinity') {
      yield writeComplaint(`sleep: invalid number '${arg}'`);
      return 1;
    }
    ms += amount === undefined ? Number.POSITIVE_INFINITY : Number(amount) * (readOwn(sleepUnitsMs, unit) ?? 0);
  }
  if (args.length === 0) {
    yield writeComplaint('sleep: missing operand');
    return 1;
  }
  yield { kind: 'sleep', ms };
  return 0;
}

function* showKernel({ args, around: { kernel, hostname } }: ProgramCall): RunningProgram {
  const { release, architecture } = kernel;
  const asked = args.join('');
  const all = asked.includes('a');
  const parts = [
    ...(all || asked === '' || asked.includes('s') ? ['Linux'] : []),
    ...(all || asked.includes('n') ? [hostname] : []),
    ...(all || asked.includes('r') ? [release] : []),
    ...(all || asked.includes('m') ? [architecture] : []),
  ];
  yield writeLine(parts.join(' '));
  return 0;
}

function* showDate({ args, around }: ProgramCall): RunningProgram {
  const at = new Date(around.now());
  const iso = at.toISOString();
  const format = args.find((arg) => arg.startsWith('+'))?.slice(1);
  if (format === undefined) {
    const [weekday, month] = [at.toUTCString().slice(0, 3), at.toUTCString().slice(8, 11)];
    const day = String(at.getUTCDate()).padStart(2);
    yield writeLine(`${weekday} ${month} ${day} ${iso.slice(11, 19)} UTC ${iso.slice(0, 4)}`);
    return 0;
  }
  const parts: Readonly<Record<string, string>> = {
    Y: iso.slice(0, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    s: String(Math.floor(around.now() / 1000)),
    F: iso.slice(0, 10),
    T: iso.slice(11, 19),
  };
  yield writeLine(format.replaceAll(/%([a-zA-Z])/g, (all, letter: string) => readOwn(parts, letter) ?? all));
  return 0;
}

function* showEnd(call: ProgramCall): RunningProgram {
  const follows = call.args.some((arg) => /^-[fF]/.test(arg));
  const named = call.args.some((arg) => arg.startsWith('/'));
  const lines = named || !follows ? linesOfText(yield* readInput(call)) : [];
  const count = lineCount(call.args);
  yield writeOut(lines.slice(Math.max(0, lines.length - count)).join(''));
  if (follows) yield { kind: 'sleep', ms: Number.POSITIVE_INFINITY };
  return 0;
}

function* showStart(call: ProgramCall): RunningProgram {
  yield writeOut(
    linesOfText(yield* readInput(call))
      .slice(0, lineCount(call.args))
      .join(''),
  );
  return 0;
}

const lineCount = (args: readonly string[]): number =>
  Number(/-n ?(\d+)/.exec(args.join(' '))?.[1] ?? /(?:^| )-(\d+)/.exec(args.join(' '))?.[1] ?? 10);

const linesOfText = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function* showMatches(call: ProgramCall): RunningProgram {
  const flags = call.args.filter((arg) => arg.startsWith('-')).join('');
  const [wanted = '', ...names] = call.args.filter((arg) => !arg.startsWith('-'));
  const text = yield* readInput({ ...call, args: names });
  const isFound = (line: string): boolean =>
    (flags.includes('i') ? line.toLowerCase().includes(wanted.toLowerCase()) : line.includes(wanted)) !==
    flags.includes('v');
  const found = linesOfText(text).filter(isFound);
  if (flags.includes('c')) yield writeLine(String(found.length));
  else if (!flags.includes('q')) yield writeOut(found.join(''));
  return found.length === 0 ? 1 : 0;
}

function* countLines(call: ProgramCall): RunningProgram {
  const text = yield* readInput(call);
  const counts = {
    l: text.split('\n').length - 1,
    w: text.split(/\s+/).filter((word) => word !== '').length,
    c: text.length,
  };
  const asked = call.args.filter((arg) => arg.startsWith('-')).join('');
  const shown = (['l', 'w', 'c'] as const).filter((letter) => asked === '' || asked.includes(letter));
  yield writeLine(shown.map((letter) => counts[letter]).join(' '));
  return 0;
}

function testFile(call: ProgramCall): RunningProgram {
  const args = call.name === '[' ? call.args.slice(0, -1) : call.args;
  const [first = '', second = '', third = ''] = args[0] === '!' ? args.slice(1) : args;
  const holds = args.length <= 1 ? first !== '' : judge(call, [first, second, third]);
  return endWith(holds === (args[0] === '!') ? 1 : 0);
}

function judge(call: ProgramCall, [first, second, third]: readonly [string, string, string]): boolean {
  switch (first) {
    case '-n':
      return second !== '';
    case '-z':
      return second === '';
    case '-f':
      return fileText(call, second) !== undefined;
    case '-d':
      return isFolderOf(call, second);
    case '-e':
    case '-r':
    case '-s':
      return fileText(call, second) !== undefined || isFolderOf(call, second);
    default:
      return compareTexts(first, second, third);
  }
}

function compareTexts(left: string, operator: string, right: string): boolean {
  switch (operator) {
    case '=':
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '-eq':
      return Number(left) === Number(right);
    case '-ne':
      return Number(left) !== Number(right);
    case '-gt':
      return Number(left) > Number(right);
    case '-lt':
      return Number(left) < Number(right);
    case '-ge':
      return Number(left) >= Number(right);
    case '-le':
      return Number(left) <= Number(right);
    default:
      return left !== '';
  }
}
