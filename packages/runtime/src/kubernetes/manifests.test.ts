import { describe, expect, test } from 'vitest';
import { ManifestError, parseManifests } from './manifests.ts';

describe('a manifest', () => {
  test('gives its objects in their order, whatever stands between them', () => {
    const text = '# a remark\n---\napiVersion: v1\nkind: A\n---\n---\n# nothing\n---\napiVersion: v1\nkind: B\n';
    expect(parseManifests(text)).toEqual([
      { apiVersion: 'v1', kind: 'A' },
      { apiVersion: 'v1', kind: 'B' },
    ]);
  });

  test('is read as kubectl reads it: YAML 1.1', () => {
    const [object] = parseManifests(
      'apiVersion: v1\nkind: A\nspec: {mode: 010, on: yes, base: &b {x: 1}, more: {<<: *b}}',
    );
    expect(object).toMatchObject({ spec: { mode: 8, true: true, more: { x: 1 } } });
  });

  test('may be JSON, and a list of objects', () => {
    const items = [
      { apiVersion: 'v1', kind: 'A' },
      { apiVersion: 'v1', kind: 'B' },
    ];
    expect(parseManifests(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))).toEqual(items);
  });

  for (const { fact, text, problem } of [
    {
      fact: 'without a kind',
      text: 'apiVersion: v1',
      problem: 'pool.yaml: document 1: kind is missing; a text is needed',
    },
    {
      fact: 'whose version is a number',
      text: 'apiVersion: 1\nkind: A',
      problem: 'pool.yaml: document 1: apiVersion is 1; a text is needed',
    },
    {
      fact: 'that is a list',
      text: 'apiVersion: v1\nkind: A\n---\n- a',
      problem: 'pool.yaml: document 2 is a list; an object with apiVersion and kind is needed',
    },
    {
      fact: 'that is no YAML',
      text: 'apiVersion: v1\nkind: [A',
      problem: expect.stringMatching(/^pool\.yaml: document 1: .* at line 2, column \d+$/) as string,
    },
  ]) {
    test(`${fact} is refused, with its place`, () => {
      let refused: unknown;
      try {
        parseManifests(text, 'pool.yaml');
      } catch (error) {
        refused = error;
      }
      expect(refused).toBeInstanceOf(ManifestError);
      expect((refused as ManifestError).message).toEqual(problem);
    });
  }

  test('names all of its problems at once', () => {
    expect(() => parseManifests('kind: A\n---\napiVersion: v1')).toThrow(
      'manifest: document 1: apiVersion is missing; a text is needed\nmanifest: document 2: kind is missing; a text is needed',
    );
  });
});

describe('a template that is not rendered', () => {
  const pool = 'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata:\n';

  for (const [fact, text, part] of [
    [
      'whose braces break YAML',
      `${pool}  name: x\n  {{- include "labels" . | nindent 2 }}\n`,
      'line 5 has {{- include "labels"',
    ],
    ['whose braces read as a map', `${pool}  name: {{ .Values.name }}\n`, 'line 4 has {{ .Values.name }}'],
    ['whose braces are part of a name', `${pool}  name: web-{{ .Values.name }}\n`, 'line 4 has {{ .Values.name }}'],
    [
      'with quoted braces in a pool',
      `${pool}  name: x\nspec: {weight: "{{ .Values.w }}"}\n`,
      'line 5 has {{ .Values.w }}',
    ],
  ] as const)
    test(`${fact} is told as one`, () => {
      expect(() => parseManifests(text, 'pool.yaml')).toThrow(part);
      expect(() => parseManifests(text, 'pool.yaml')).toThrow('render it with helm template');
    });

  test('is none where texts have double braces', () => {
    const rule = 'apiVersion: v1\nkind: A\nmetadata: {name: x}\nspec: {text: "{{ $labels.node }} is not ready"}\n';
    expect(parseManifests(rule)).toHaveLength(1);
  });
});
