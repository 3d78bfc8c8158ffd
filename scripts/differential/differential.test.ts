import { expect, test } from 'vitest';
import { compareAnswers } from './compare.ts';
import { drawHistory } from './draw-history.ts';
import { type DrawnSchema, listTestedKinds, SchemaTable } from './kinds.ts';
import { normalizeAnswer, parseAnswer } from './normalize.ts';
import { installDefinitions, HistoryPlayer, readDocument } from './play.ts';
import { DifferenceCount } from './report.ts';
import { openEmbeddedServer } from './servers.ts';
import { shrinkSteps } from './shrink.ts';
import { edited, placesIn, type Step, valueAt } from './step.ts';

const ours = openEmbeddedServer('1.36');
const kinds = listTestedKinds();
const openApi = (await readDocument(ours, '/openapi/v2')) as { readonly definitions: Record<string, DrawnSchema> };
const drawing = { kinds, table: new SchemaTable(openApi), length: 6 };

test('a seed has one history', () => {
  expect(drawHistory('a', drawing)).toEqual(drawHistory('a', drawing));
  expect(drawHistory('b', drawing)).not.toEqual(drawHistory('a', drawing));
});

test('every kind that is served and can be created has an object to begin with', () => {
  const written = kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  expect(new Set(written).size).toBeGreaterThan(65);
});

test('an edit changes one place', () => {
  const value = { spec: { list: [{ a: 1 }, { a: 2 }] } };
  expect(edited(value, { at: ['spec', 'list', 1, 'a'], value: 3 })).toEqual({ spec: { list: [{ a: 1 }, { a: 3 }] } });
  expect(edited(value, { at: ['spec', 'list', 0] })).toEqual({ spec: { list: [{ a: 2 }] } });
  expect(edited({}, { at: ['a', 'b'], value: 1 })).toEqual({ a: { b: 1 } });
  expect(placesIn(value).map((at) => valueAt(value, at))).toContain(2);
});

test('identities, versions, times and the word of a run are not compared', () => {
  const answer = (version: string, run: string) =>
    normalizeAnswer(
      parseAnswer(
        `{"metadata":{"name":"a-${run}","resourceVersion":"${version}","creationTimestamp":"2026-11-23T1${version}:00:00Z"}}`,
      ),
      run,
    );
  expect(answer('1', 'x1q')).toEqual(answer('2', 'x2q'));
});

test('whole numbers that a double cannot hold keep their digits', () => {
  expect(parseAnswer('{"a":9007199254740993,"b":[9223372036854775807],"c":12}')).toEqual({
    a: '@int:9007199254740993',
    b: ['@int:9223372036854775807'],
    c: 12,
  });
});

const refused = (field: string, message: string) => ({
  status: 422,
  contentType: 'application/json',
  warnings: [],
  body: { reason: 'Invalid', message, details: { causes: [{ reason: 'FieldValueInvalid', field, message }] } },
});
const accepted = (body: object) => ({
  status: 201,
  contentType: 'application/json',
  warnings: [],
  body: body as never,
});

test.each([
  { fact: 'equal answers', ours: accepted({ a: 1 }), real: accepted({ a: 1 }), places: [] },
  { fact: 'a member', ours: accepted({ a: { b: 1 } }), real: accepted({ a: {} }), places: ['a.b added'] },
  { fact: 'an item', ours: accepted({ a: [{}] }), real: accepted({ a: [{ b: 1 }] }), places: ['a[].b absent'] },
  {
    fact: 'a status',
    ours: accepted({}),
    real: refused('spec.a[0]', 'x'),
    places: ['201 instead of 422 Invalid FieldValueInvalid spec.a[]'],
  },
  { fact: 'a cause', ours: refused('a', 'x'), real: refused('b', 'x'), places: ['no cause FieldValueInvalid b'] },
])('$fact is told apart', ({ ours, real, places }) => {
  expect(compareAnswers(ours, real).map(({ place }) => place)).toEqual(places);
});

test('another message of the same refusal is a difference of words', () => {
  expect(compareAnswers(refused('a', 'x'), refused('a', 'y')).map(({ isWording }) => isWording)).toEqual([true]);
});

test('a server does not differ from another one of the same version', async () => {
  const other = { ...openEmbeddedServer('1.36'), name: 'real' as const };
  const player = new HistoryPlayer({ ours, real: other, kinds }, 'same');
  const count = new DifferenceCount();
  for (const server of [ours, other]) await installDefinitions(server, []);
  const pods = { ...drawing, kinds: kinds.filter(({ kind }) => ['ConfigMap', 'Pod'].includes(kind)) };
  for (let nth = 0; nth < 5; nth += 1) count.add('s', await player.play(drawHistory(`s-${nth}`, pods).steps));
  expect(count.steps).toBeGreaterThan(20);
  expect([...count.kinds.keys()]).toEqual([]);
});

test('a case shrinks to the step and the member that it needs', async () => {
  const step = (path: string, body: Step['body']): Step => ({
    verb: 'create',
    kind: 'K',
    method: 'POST',
    path,
    ...(body !== undefined && { body }),
  });
  const steps = [step('/a', { x: 1 }), step('/b?q=1', { y: 1, z: { bad: 1, good: 2 } }), step('/c', undefined)];
  const shows = async (tried: readonly Step[]) => tried.some(({ body }) => valueAt(body, ['z', 'bad']) === 1);
  expect(await shrinkSteps(steps, { shows, tries: 100 })).toEqual([step('/b', { z: { bad: 1 } })]);
});
