import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InputError } from '../../terminal/exit-status.ts';
import { convertManifests } from './convert.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'convert-lists-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function converted(files: Readonly<Record<string, string>>) {
  const place = mkdtempSync(join(folder, 'of-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
  const said = { out: '', err: '' };
  const process = {
    stdout: { write: (text: string) => (said.out += text) },
    stderr: { write: (text: string) => (said.err += text) },
  };
  convertManifests.call({ process }, { filename: [place] });
  return { ...said, err: said.err.replaceAll(`${place}/`, '') };
}

const pool = (name: string, requirements: string): string => `apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata:
  name: ${name}
spec:
  template:
    spec:
      nodeClassRef:
        name: default
      requirements: ${requirements}
`;
const spot = '[{ key: karpenter.sh/capacity-type, operator: In, values: [spot] }]';
const inItem = (text: string): string => text.replaceAll(/^/gm, '    ').replace(/^ {4}/, '  - ').trimEnd();

describe('a list of manifests', () => {
  test('is taken apart, and each object is a document of its own', () => {
    const items = [pool('one', spot), pool('two', spot)].map(inItem).join('\n');
    const { out } = converted({ 'list.yaml': `apiVersion: v1\nkind: List\nitems:\n${items}\n` });
    const parts = out.split('---\n').slice(1);
    expect(parts.map((part) => /name: (\w+)\nspec/.exec(part)?.[1])).toEqual(['one', 'two']);
    for (const part of parts) expect(part).toMatch(/^apiVersion: karpenter.sh\/v1\nkind: NodePool\n/);
    expect(out).not.toContain('List');
  });

  test('keeps the remarks of its items', () => {
    const item = inItem(pool('one', spot)).replace('name: one', 'name: one # ours');
    expect(converted({ 'list.yaml': `apiVersion: v1\nkind: NodePoolList\nitems:\n${item}\n` }).out).toContain(
      'name: one # ours',
    );
  });

  test('may share a part between its items by an anchor', () => {
    const items = [pool('one', `&where ${spot}`), pool('two', '*where')].map(inItem).join('\n');
    const { out } = converted({ 'list.yaml': `apiVersion: v1\nkind: List\nitems:\n${items}\n` });
    const [, first = '', second = ''] = out.split('---\n');
    for (const part of [first, second]) expect(part).toContain('spot');
  });

  test('without items is nothing', () => {
    expect(converted({ 'list.yaml': 'apiVersion: v1\nkind: List\nitems: []\n' })).toEqual({ out: '', err: '' });
  });
});

describe('a folder', () => {
  test('is read by name, and documents that hold remarks alone are left out', () => {
    const { out } = converted({
      'b.yaml': pool('second', spot),
      'a.yml': `# only a remark\n---\n${pool('first', spot)}`,
      'c.txt': 'not: read',
    });
    expect([...out.matchAll(/name: (\w+)\nspec/g)].map(([, name]) => name)).toEqual(['first', 'second']);
  });

  test('may hold JSON', () => {
    const text = JSON.stringify({
      apiVersion: 'karpenter.sh/v1beta1',
      kind: 'NodePool',
      metadata: { name: 'one' },
      spec: { template: { spec: { nodeClassRef: { name: 'default' }, requirements: [] } } },
    });
    const { out } = converted({ 'one.json': text });
    expect(out).toContain('karpenter.sh/v1');
    expect(out).not.toContain('v1beta1');
  });

  test('with an unreadable document is refused, with its file and number, and nothing is written', () => {
    const broken = () => converted({ 'a.yaml': `${pool('one', spot)}---\n- a list\n`, 'b.yaml': pool('two', spot) });
    expect(broken).toThrow(InputError);
    expect(broken).toThrow(/a\.yaml: document 2 is a list/);
  });

  test('that holds a folder with the name of a manifest is refused with it', () => {
    const place = mkdtempSync(join(folder, 'nested-'));
    mkdirSync(join(place, 'x.yaml'));
    const process = { stdout: { write: () => true }, stderr: { write: () => true } };
    expect(() => convertManifests.call({ process }, { filename: [place] })).toThrow(/x\.yaml/);
  });
});

test('every problem of every file is told at once', () => {
  const bad = (name: string) => pool(name, '[{ key: kubernetes.io/hostname, operator: In, values: [a] }]');
  let told = '';
  try {
    converted({ 'a.yaml': bad('one'), 'b.yaml': bad('two') });
  } catch (failure) {
    told = (failure as Error).message;
  }
  expect(told).toMatch(/a\.yaml: document 1, NodePool one: .*\n.*b\.yaml: document 1, NodePool two: /);
});

test('nothing to convert is refused', () => {
  const process = { stdout: { write: () => true }, stderr: { write: () => true } };
  expect(() => convertManifests.call({ process }, { filename: [] })).toThrow('nothing to convert: give -f FILE');
});
