import { describe, expect, test } from 'vitest';
import { StatusError } from '../../http/status-error.ts';
import { readWriteOptions } from '../request-options.ts';
import type { ResourceCall } from '../world.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import { parseDeletionOptions, readDeletionOptions } from './delete-options.ts';
import { readWatchOptions } from './watch-options.ts';

const aCall = (query: string, body = '', headers: Readonly<Record<string, string>> = {}): ResourceCall =>
  ({
    info: { query: new URLSearchParams(query) },
    body: Buffer.from(body),
    headers: { 'content-type': 'application/json', ...headers },
  }) as unknown as ResourceCall;

/** What a reader makes of a call, or what it is refused with. */
const outcomeOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error instanceof StatusError ? error.message : error;
  }
};

describe('the options of a delete', () => {
  test.each<readonly [query: string, body: object | string, options: unknown]>([
    ['', '', { dryRun: false }],
    ['gracePeriodSeconds=5', '', { dryRun: false, gracePeriodSeconds: 5 }],
    ['gracePeriodSeconds=0&dryRun=All', '', { dryRun: true, gracePeriodSeconds: 0 }],
    ['propagationPolicy=Orphan', '', { dryRun: false, propagation: 'Orphan' }],
    ['orphanDependents=true', '', { dryRun: false, propagation: 'Orphan' }],
    ['orphanDependents=1', '', { dryRun: false, propagation: 'Orphan' }],
    ['orphanDependents=false', '', { dryRun: false, propagation: 'Background' }],
    ['gracePeriodSeconds=5', { gracePeriodSeconds: 7 }, { dryRun: false, gracePeriodSeconds: 7 }],
    ['', { kind: 'DeleteOptions', apiVersion: 'policy/v1', dryRun: ['All'] }, { dryRun: true }],
    [
      '',
      { preconditions: { uid: 'u', resourceVersion: '7' }, propagationPolicy: 'Foreground' },
      { dryRun: false, uid: 'u', resourceVersion: '7', propagation: 'Foreground' },
    ],
    [
      '',
      { kind: 'Pod', apiVersion: 'v1' },
      'no kind "Pod" is registered for version "v1" in scheme "pkg/apis/meta/internalversion/scheme/register.go:27"',
    ],
    [
      'propagationPolicy=Never',
      '',
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Never": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      '',
      { propagationPolicy: 'Orphan', orphanDependents: true },
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    [
      'dryRun=Some',
      '',
      'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
  ])('?%s %j', (query, body, options) => {
    const call = aCall(query, typeof body === 'string' ? body : JSON.stringify(body));
    expect(outcomeOf(() => readDeletionOptions(call))).toEqual(options);
  });

  test('that are null are none', () => {
    const none = { gracePeriodSeconds: null, propagationPolicy: null, orphanDependents: null, preconditions: null };
    expect(parseDeletionOptions(none)).toEqual({ dryRun: false });
  });
});

describe('the options of a watch', () => {
  const invalid = (...causes: readonly string[]): string =>
    `ListOptions.meta.k8s.io "" is invalid: ${causes.length === 1 ? causes[0] : `[${causes.join(', ')}]`}`;
  const unsupported = 'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"';
  const needless =
    'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';

  test.each<readonly [query: string, options: unknown]>([
    ['', { allowBookmarks: false, sendInitialEvents: false }],
    [
      'resourceVersion=7&timeoutSeconds=30',
      { version: 7, timeoutSeconds: 30, allowBookmarks: false, sendInitialEvents: false },
    ],
    ['timeoutSeconds=0', { allowBookmarks: false, sendInitialEvents: false }],
    ['allowWatchBookmarks=true', { allowBookmarks: true, sendInitialEvents: false }],
    [
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1',
      { allowBookmarks: true, sendInitialEvents: true },
    ],
    [
      'sendInitialEvents=true',
      invalid(
        'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      ),
    ],
    ['resourceVersionMatch=NotOlderThan', invalid(needless)],
    ['sendInitialEvents=true&resourceVersionMatch=Exact', invalid(unsupported)],
    ['resourceVersionMatch=Exact', invalid(needless, unsupported)],
  ])('?%s', (query, options) => expect(outcomeOf(() => readWatchOptions(aCall(query)))).toEqual(options));
});

describe('the options of a write', () => {
  const read = (query: string, kind: 'CreateOptions' | 'PatchOptions', isApply = false) =>
    outcomeOf(() => readWriteOptions(aCall(query, '', { 'user-agent': 'kubectl/v1.29.0 (linux)' }), kind, { isApply }));
  const usual = { dryRun: false, manager: 'kubectl', fieldValidation: 'Warn', force: false };

  test.each<readonly [query: string, isApply: boolean, options: unknown]>([
    ['', false, usual],
    [
      'fieldManager=me&fieldValidation=Strict&dryRun=All',
      false,
      { ...usual, manager: 'me', fieldValidation: 'Strict', dryRun: true },
    ],
    ['dryRun=&fieldValidation=', false, usual],
    ['fieldManager=me&force=true', true, { ...usual, manager: 'me', force: true }],
    [
      'force=true',
      false,
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    ],
    ['', true, 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch'],
    [
      `fieldManager=${'m'.repeat(129)}`,
      false,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
    ],
    [
      'fieldValidation=strict',
      false,
      'PatchOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
    ],
  ])('?%s apply %j', (query, isApply, options) => expect(read(query, 'PatchOptions', isApply)).toEqual(options));

  test('of a create may say that it is forced, which says nothing', () => {
    expect(read('force=true', 'CreateOptions')).toEqual({ ...usual, force: true });
  });
});

describe('where a list continues', () => {
  test.each([
    [7, 'default/web'],
    [-1, 'default/a'],
  ])('at %i after %s comes back as it went', (revision, after) => {
    const token = encodeContinue({ revision, after });
    expect(token).toMatch(/^[\w-]+$/);
    expect(decodeContinue(token)).toEqual({ revision, after });
  });

  test('has the form of a real server', () => {
    const token = encodeContinue({ revision: 7, after: 'default/web' });
    expect(Buffer.from(token, 'base64url').toString()).toBe(
      String.raw`{"v":"meta.k8s.io/v1","rv":7,"start":"default/web\u0000"}`,
    );
  });

  test.each([
    [Buffer.from('nonsense').toString('base64url'), "invalid character 'n' looking for beginning of value"],
    [
      Buffer.from('\u0001').toString('base64url'),
      String.raw`invalid character '\u0001' looking for beginning of value`,
    ],
    [Buffer.from([0xff]).toString('base64url'), String.raw`invalid character '\u00ff' looking for beginning of value`],
  ])('%s is refused with its first character', (token, words) => {
    expect(outcomeOf(() => decodeContinue(token))).toBe(`invalid continue token: continue key is not valid: ${words}`);
  });
});
