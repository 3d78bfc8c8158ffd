import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { importPaths, root, sources, specifiers } from './sources.ts';

const controllersFolder = join(root, 'packages/operator/src/controllers');

const controllers = readdirSync(controllersFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const filesNamed = (name: string): readonly string[] =>
  controllers
    .filter((controller) => readdirSync(join(controllersFolder, controller)).includes(name))
    .map((controller) => join(controllersFolder, controller, name));

/** Names that a file takes from the package of clients, clocks and loggers. */
const namesFromRuntime = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(specifiers)]
    .filter(([, , , path]) => path === '@nodewright/runtime')
    .flatMap(([statement]) => /\{([^}]*)\}/.exec(statement)?.[1]?.split(',') ?? [])
    .map((name) => name.replace('type ', '').trim())
    .filter((name) => name !== '');

/** Types of the runtime that describe what is reported, and do nothing. */
const descriptions: ReadonlySet<string> = new Set(['EventReport', 'LogFields', 'LogLevel']);

const shownPath = (file: string): string => relative(controllersFolder, file);

test('every controller says in its own folder what wakes it', () => {
  const without = controllers.filter(
    (controller) => !readdirSync(join(controllersFolder, controller)).includes('watches.ts'),
  );
  expect(without).toEqual([]);
});

/** Controllers without a file of some name, each with the reason. The lists only get shorter. */
const withoutTurns: Readonly<Record<string, string>> = {
  'node-memory': 'hands on what a watch shows, at once',
  'pod-metrics': 'reports what a watch shows, at once',
  'status-changes': 'reports what a watch shows, at once',
};

const withoutPlan: Readonly<Record<string, string>> = {
  'status-changes': 'reports what others have changed',
};

const withoutReport: Readonly<Record<string, string>> = {
  'capacity-buffer':
    'writes a condition, whose changes status-changes reports; the round tells what becomes of the units',
  hydration: 'sets a label that is missing',
  'node-memory': 'tells the cloud of a number, for its own estimates',
  'pod-events': 'notes a time on the claim; whatever follows from it is reported by drift',
  tagging: 'writes tags on instances and notes on the claim that they are there',
};

const controllersWithout = (has: (file: string) => boolean): readonly string[] =>
  controllers.filter((controller) => !readdirSync(join(controllersFolder, controller)).some(has));

test('every controller runs its turns in a reconciler.ts with keys, or in loops without', () => {
  expect(controllersWithout((file) => /^(reconciler|loop|.*-loop)\.ts$/.test(file))).toEqual(Object.keys(withoutTurns));
});

test('every controller that decides something does it in a plan.ts', () => {
  expect(controllersWithout((file) => file === 'plan.ts')).toEqual(Object.keys(withoutPlan));
});

test('every controller says in a report.ts what it reports, and the others report nothing', () => {
  expect(controllersWithout((file) => file === 'report.ts')).toEqual(Object.keys(withoutReport));
  const reporting = Object.keys(withoutReport)
    .flatMap((controller) => sources(join(controllersFolder, controller)))
    .filter((file) => /\/(publisher|counters|report-entry)\.ts'|\bLogger\b/.test(readFileSync(file, 'utf8')));
  expect(reporting.map(shownPath)).toEqual([]);
});

test('events, lines of the log and increments of counters are made in reports alone', () => {
  const making = sources(controllersFolder)
    .filter((file) => /\b(eventEntry|eventEntries|logEntry|counterEntry)\(/.test(readFileSync(file, 'utf8')))
    .map(shownPath);
  expect(making.filter((path) => !/(\/|-)report\.ts$/.test(path))).toEqual([]);
});

/** The files that a file takes values from, itself among them; imports of types alone are left out. */
function filesBehind(start: string): readonly string[] {
  const reached = new Set([start]);
  for (const file of reached)
    for (const [statement, , isTypeOnly, path = ''] of readFileSync(file, 'utf8').matchAll(specifiers)) {
      const names = /\{([^}]*)\}/
        .exec(statement)?.[1]
        ?.split(',')
        .filter((name) => name.trim() !== '') ?? [''];
      const isValue = isTypeOnly === undefined && names.some((name) => !name.trim().startsWith('type '));
      if (isValue && path.startsWith('.')) reached.add(join(dirname(file), path));
    }
  return [...reached];
}

test('a decision has no client, no clock and no logger, nor has anything that it is made with', () => {
  const impure = filesNamed('plan.ts').flatMap((plan) =>
    filesBehind(plan).flatMap((file) =>
      namesFromRuntime(file)
        .filter((name) => !descriptions.has(name))
        .map((name) => `${shownPath(plan)}: ${shownPath(file)} imports ${name}`),
    ),
  );
  expect(impure).toEqual([]);
});

test('a report is made of plans and outcomes: no client, no clock, no logger, nothing that waits', () => {
  const reports = sources(controllersFolder).filter((file) => /(\/|-)report\.ts$/.test(file));
  expect(reports.length).toBeGreaterThan(0);
  const impure = reports.flatMap((file) => [
    ...namesFromRuntime(file).filter((name) => !descriptions.has(name)),
    ...importPaths(file).filter((path) => path.includes('hosting/') || path.includes('publisher')),
    ...(/\basync\b|\bawait\b|\bpublish\(/.test(readFileSync(file, 'utf8'))
      ? [`${shownPath(file)} does something`]
      : []),
  ]);
  expect(impure).toEqual([]);
});

test('a plan waits for nothing', () => {
  const waiting = filesNamed('plan.ts').filter((file) => /\basync\b|\bawait\b/.test(readFileSync(file, 'utf8')));
  expect(waiting.map(shownPath)).toEqual([]);
});

test('what is observed is so at one instant, which the caller gives', () => {
  const clocks = filesNamed('observe.ts').filter((file) => namesFromRuntime(file).includes('Clock'));
  expect(clocks.map(shownPath)).toEqual([]);
});

test('what is observed is neither saved nor published', () => {
  const writing = filesNamed('observe.ts').filter((file) =>
    /\.(save|create|createOnce|delete|evict|launch|terminate|learn|publish|report)\(/.test(readFileSync(file, 'utf8')),
  );
  expect(writing.map(shownPath)).toEqual([]);
});
