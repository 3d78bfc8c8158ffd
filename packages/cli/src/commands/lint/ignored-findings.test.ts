import { describe, expect, test } from 'vitest';
import { type IgnoreRemark, readIgnoreRemarks, silencesFinding } from './ignored-findings.ts';
import { locateManifests } from './located-manifests.ts';

const told = (...lines: readonly string[]): readonly string[] =>
  readIgnoreRemarks('a.yaml', lines).map(
    ({ line, rule, reason, target }) => `${line}: ${rule || '-'} (${reason || '-'}) for ${target}`,
  );

describe('a remark that silences a rule', () => {
  test.each<readonly [fact: string, lines: readonly string[], remarks: readonly string[]]>([
    [
      'is about its own line behind a field',
      ['weight: 1 # nodewright:ignore heavy it is wanted'],
      ['1: heavy (it is wanted) for 1'],
    ],
    ['is about the next line on a line of its own', ['# nodewright:ignore heavy', 'weight: 1'], ['1: heavy (-) for 2']],
    [
      'passes over blank lines, other remarks and the beginning of a document',
      ['# nodewright:ignore heavy why', '', '  # another', '---', 'kind: NodePool'],
      ['1: heavy (why) for 5'],
    ],
    ['is about itself at the end of a text', ['a: 1', '# nodewright:ignore heavy'], ['2: heavy (-) for 2']],
    ['may be without a rule, which is told later', ['# nodewright:ignore'], ['1: - (-) for 1']],
    ['may have no blank before its first word', ['#nodewright:ignore heavy x'], ['1: heavy (x) for 1']],
    [
      'may be one of several for a line',
      ['# nodewright:ignore one a', '# nodewright:ignore two b', 'x: 1'],
      ['1: one (a) for 3', '2: two (b) for 3'],
    ],
    [
      'loses blanks behind its reason',
      ['# nodewright:ignore heavy  long ago  ', 'x: 1'],
      ['1: heavy (long ago) for 2'],
    ],
    ['is not any remark', ['# nodewright: ignore heavy', '# ignore heavy', 'note: nodewright:ignore'], []],
  ])('%s', (_, lines, remarks) => expect(told(...lines)).toEqual(remarks));
});

const manifest = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: a
spec:
  weight: 1
  template:
    spec:
      requirements:
        - key: a
          operator: Exists
        - {key: b, operator: Exists}
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: a}
`;

describe('the places of a field', () => {
  const placesOf = (path: readonly (string | number)[], text = manifest) =>
    locateManifests({ source: 'a.yaml', text })[0]
      ?.placesOf(path)
      .map(({ line, column }) => `${line}:${column}`);

  test.each<readonly [path: readonly (string | number)[], places: readonly string[]]>([
    [[], ['1:1']],
    [['spec'], ['1:1', '5:1']],
    [
      ['spec', 'weight'],
      ['1:1', '5:1', '6:3'],
    ],
    [
      ['spec', 'weight', 'more'],
      ['1:1', '5:1', '6:3'],
    ],
    [
      ['spec', 'limits', 'cpu'],
      ['1:1', '5:1'],
    ],
    [
      ['spec', 'template', 'spec', 'requirements', 1, 'key'],
      ['1:1', '5:1', '7:3', '8:5', '9:7', '12:11', '12:12'],
    ],
    [
      ['spec', 'template', 'spec', 'requirements', 7],
      ['1:1', '5:1', '7:3', '8:5', '9:7'],
    ],
    [
      ['spec', 'template', 'spec', 'requirements', 'key'],
      ['1:1', '5:1', '7:3', '8:5', '9:7'],
    ],
  ])('%j', (path, places) => expect(placesOf(path)).toEqual(places));

  test('are those of the text, behind other documents and remarks', () => {
    const text = `# nodes\n---\n${manifest.trim()}\n`;
    expect(placesOf(['spec', 'weight'], text)).toEqual(['3:1', '7:1', '8:3']);
  });

  test('are those of an item of a list', () => {
    const text =
      'apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: Pod\n    metadata: {name: p}\n    spec: {}\n';
    expect(placesOf(['spec'], text)).toEqual(['4:5', '7:5']);
  });
});

describe('a finding is silenced', () => {
  const [located] = locateManifests({ source: 'a.yaml', text: manifest });
  const silences = (
    remark: Partial<IgnoreRemark>,
    path: readonly (string | number)[] = ['spec', 'weight'],
  ): boolean => {
    if (located === undefined) throw new Error('there is no manifest');
    const whole = { source: 'a.yaml', line: 1, rule: 'heavy', reason: 'x', target: 6, ...remark };
    const finding = { rule: 'heavy', path } as unknown as Parameters<typeof silencesFinding>[1];
    return silencesFinding(whole, finding, located);
  };

  test.each<readonly [fact: string, remark: Partial<IgnoreRemark>, isSilenced: boolean]>([
    ['at its field', {}, true],
    ['at what holds its field', { target: 5 }, true],
    ['at its object', { target: 1 }, true],
    ['not at a field beside it', { target: 7 }, false],
    ['not by another rule', { rule: 'other' }, false],
    ['not by no rule', { rule: '' }, false],
    ['not by a remark of another file', { source: 'b.yaml' }, false],
  ])('%s', (_, remark, isSilenced) => expect(silences(remark)).toBe(isSilenced));
});

test('remarks of a text with the line ends of Windows are read', () => {
  const text = manifest
    .replace('  weight: 1', '  # nodewright:ignore heavy it is wanted\n  weight: 1')
    .replaceAll('\n', '\r\n');
  const [located] = locateManifests({ source: 'a.yaml', text });
  expect(readIgnoreRemarks('a.yaml', located?.lines ?? [])).toEqual([
    { source: 'a.yaml', line: 6, rule: 'heavy', reason: 'it is wanted', target: 7 },
  ]);
});
