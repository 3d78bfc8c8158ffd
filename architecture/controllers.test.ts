import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { importPaths, root, specifiers } from './sources.ts';

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

const shownPath = (file: string): string => relative(controllersFolder, file);

test('every controller says in its own folder what wakes it', () => {
  const without = controllers.filter(
    (controller) => !readdirSync(join(controllersFolder, controller)).includes('watches.ts'),
  );
  expect(without).toEqual([]);
});

/** Why a controller decides nothing that would fill a `plan.ts`: the list only gets shorter. */
const withoutPlan: Readonly<Record<string, string>> = {
  hydration: 'sets a label that is missing',
  'node-memory': 'hands on what it has seen',
  'pod-events': 'notes a time; when that is, is in event-time.ts',
  'status-changes': 'reports what others have changed',
};

test('every controller that decides something does it in a plan.ts', () => {
  const without = controllers.filter(
    (controller) => !readdirSync(join(controllersFolder, controller)).includes('plan.ts'),
  );
  expect(without).toEqual(Object.keys(withoutPlan));
});

test('a report is made of plans and outcomes: no client, no clock, no logger, nothing that waits', () => {
  /** Descriptions of what is reported, and nothing that does anything. */
  const allowed = new Set(['EventReport', 'LogFields', 'LogLevel']);
  const reports = filesNamed('report.ts');
  expect(reports.length).toBeGreaterThan(0);
  const impure = reports.flatMap((file) => [
    ...namesFromRuntime(file).filter((name) => !allowed.has(name)),
    ...importPaths(file).filter((path) => path.includes('hosting/') || path.includes('publisher')),
    ...(/\basync\b|\bawait\b|\bpublish\(/.test(readFileSync(file, 'utf8'))
      ? [`${shownPath(file)} does something`]
      : []),
  ]);
  expect(impure).toEqual([]);
});

test('a plan has no client, no clock, no logger and nothing that waits', () => {
  const impure = filesNamed('plan.ts').flatMap((file) => [
    ...namesFromRuntime(file).map((name) => `${shownPath(file)} imports ${name}`),
    ...(/\basync\b|\bawait\b/.test(readFileSync(file, 'utf8')) ? [`${shownPath(file)} waits`] : []),
  ]);
  expect(impure).toEqual([]);
});

test('what is observed is neither saved nor published', () => {
  const writing = filesNamed('observe.ts').filter((file) =>
    /\.(save|create|createOnce|delete|evict|launch|terminate|learn|publish|report)\(/.test(readFileSync(file, 'utf8')),
  );
  expect(writing.map(shownPath)).toEqual([]);
});
