import { describe, expect, test } from 'vitest';
import * as checks from './field-checks.ts';
import { checkPod, nodeRequirement } from './pod-checks.ts';

const fine: readonly string[] = [];

describe('a field that cannot be read is told with its value and what would be right', () => {
  test.each<readonly [check: checks.FieldCheck, value: unknown, told: readonly string[]]>([
    [checks.checkTextField, 'x', fine],
    [checks.checkTextField, '', ['f must be a text, not ""']],
    [checks.checkTextField, 1, ['f must be a text, not 1']],
    [checks.checkTextField, undefined, ['f must be a text, not missing']],
    [checks.checkLabelValue, '', fine],
    [checks.checkLabelValue, true, ['f must be a text, not true']],
    [checks.checkNumberField, 0, fine],
    [checks.checkNumberField, 0.5, fine],
    [checks.checkNumberField, -1, ['f must be a number from 0, not -1']],
    [checks.checkNumberField, '1', ['f must be a number from 0, not "1"']],
    [checks.wholeFrom(1), 1, fine],
    [checks.wholeFrom(1), 0, ['f must be a whole number from 1, not 0']],
    [checks.wholeFrom(0), 1.5, ['f must be a whole number from 0, not 1.5']],
    [checks.checkFlag, false, fine],
    [checks.checkFlag, 'false', ['f must be true or false, not "false"']],
    [checks.checkOneOf('a', 'b'), 'b', fine],
    [checks.checkOneOf('a', 'b'), 'A', ['f must be one of a, b, not "A"']],
    [checks.checkQuantity, '100m', fine],
    [checks.checkQuantity, 2, fine],
    [checks.checkQuantity, '1.5Gi', fine],
    [checks.checkQuantity, '1 Gi', ['f must be a quantity such as 100m, 1.5 or 2Gi, not "1 Gi"']],
    [checks.checkQuantity, ['1'], ['f must be a quantity such as 100m, 1.5 or 2Gi, not ["1"]']],
    [checks.checkList(checks.checkFlag), [], fine],
    [
      checks.checkList(checks.checkFlag),
      [true, 1, false, 'x'],
      ['f[1] must be true or false, not 1', 'f[3] must be true or false, not "x"'],
    ],
    [checks.checkList(checks.checkFlag), { 0: true }, ['f must be a list, not {"0":true}']],
    [checks.checkMap(checks.checkFlag), { a: true }, fine],
    [checks.checkMap(checks.checkFlag), { a: true, b: 1 }, ['f["b"] must be true or false, not 1']],
    [checks.checkMap(checks.checkFlag), [true], ['f must be an object, not [true]']],
    [checks.checkMap(checks.checkFlag), null, ['f must be an object, not null']],
    [checks.checkOptional(checks.checkFlag), undefined, fine],
    [checks.checkOptional(checks.checkFlag), 1, ['f must be true or false, not 1']],
    [checks.checkObject({ a: checks.checkFlag }), { a: true, b: 1 }, fine],
    [checks.checkObject({ a: checks.checkFlag }), {}, ['f.a must be true or false, not missing']],
    [checks.checkObject({ constructor: checks.checkOptional(checks.checkFlag) }), {}, fine],
    [checks.checkObject({ a: checks.checkFlag }), 'x', ['f must be an object, not "x"']],
    [checks.checkBoth(checks.checkFlag, checks.checkOneOf(true)), true, fine],
    [checks.checkBoth(checks.checkFlag, checks.checkOneOf(true)), false, ['f must be one of true, not false']],
    [checks.checkBoth(checks.checkFlag, checks.checkOneOf(true)), 1, ['f must be true or false, not 1']],
    [checks.uniqueBy((each: string) => each), ['a', 'b'], fine],
    [
      checks.uniqueBy((each: string) => each),
      ['a', 'b', 'a', 'a'],
      ['f[2] is the second with the name "a"', 'f[3] is the second with the name "a"'],
    ],
  ])('%# %j', (check, value, told) => {
    expect(check(value, 'f')).toEqual(told);
  });

  test('of a long value only the beginning', () => {
    expect(checks.checkFlag('x'.repeat(100), 'f')).toEqual([`f must be true or false, not "${'x'.repeat(59)}`]);
  });
});

describe('of a requirement', () => {
  test.each<readonly [requirement: object, told: readonly string[]]>([
    [{ key: 'a', operator: 'In', values: ['x'], minValues: 2 }, fine],
    [{ key: 'a', operator: 'Gte', values: ['1'] }, fine],
    [{ key: 'a', operator: 'Exists' }, fine],
    [{ operator: 'Exists' }, ['f.key must be a text, not missing']],
    [
      { key: 'a', operator: 'exists' },
      ['f.operator must be one of In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte, Lte, not "exists"'],
    ],
    [{ key: 'a', operator: 'In', values: 'x' }, ['f.values must be a list, not "x"']],
    [{ key: 'a', operator: 'In', values: [1] }, ['f.values[0] must be a text, not 1']],
    [{ key: 'a', operator: 'In', minValues: -1 }, ['f.minValues must be a whole number from 0, not -1']],
  ])('%j', (requirement, told) => expect(nodeRequirement(requirement, 'f')).toEqual(told));
});

describe('of a pod', () => {
  const pod = (spec: object, metadata: object = {}) => ({
    metadata: { name: 'p', ...metadata },
    spec: { containers: [], ...spec },
  });
  const term = (more: object) => ({ topologyKey: 'zone', ...more });

  test.each<readonly [fact: string, pod: object, told: readonly string[]]>([
    ['nothing is said of what is right', pod({}), fine],
    ['an unnamed one is told', pod({}, { name: '' }), ['f.metadata.name must be a text, not ""']],
    ['labels are texts', pod({}, { labels: { a: 1 } }), ['f.metadata.labels["a"] must be a text, not 1']],
    ['containers are a list', { metadata: { name: 'p' }, spec: {} }, ['f.spec.containers must be a list, not missing']],
    [
      'limits are quantities, of containers that begin first, too',
      pod({ initContainers: [{ resources: { limits: { cpu: 'x' } } }] }),
      ['f.spec.initContainers[0].resources.limits["cpu"] must be a quantity such as 100m, 1.5 or 2Gi, not "x"'],
    ],
    [
      'host ports are numbers',
      pod({ containers: [{ ports: [{ hostPort: '80', hostIP: 1, protocol: [] }] }] }),
      [
        'f.spec.containers[0].ports[0].hostPort must be a number from 0, not "80"',
        'f.spec.containers[0].ports[0].hostIP must be a text, not 1',
        'f.spec.containers[0].ports[0].protocol must be a text, not []',
      ],
    ],
    [
      'overhead is of quantities',
      pod({ overhead: { cpu: '' } }),
      ['f.spec.overhead["cpu"] must be a quantity such as 100m, 1.5 or 2Gi, not ""'],
    ],
    [
      'a selector is of texts',
      pod({ nodeSelector: { a: null } }),
      ['f.spec.nodeSelector["a"] must be a text, not null'],
    ],
    [
      'an empty operator of a toleration is Equal',
      pod({ tolerations: [{ operator: '', key: '', value: '', effect: '' }] }),
      fine,
    ],
    [
      'a toleration has an operator that there is',
      pod({ tolerations: [{ operator: 'NotEqual' }] }),
      ['f.spec.tolerations[0].operator must be one of , Exists, Equal, Gt, Lt, not "NotEqual"'],
    ],
    [
      'terms of affinity have a topology',
      pod({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } } }),
      [
        'f.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey must be a text, not missing',
      ],
    ],
    [
      'preferences have a weight',
      pod({
        affinity: {
          podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: term({}) }] },
          nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: 'x' }] },
        },
      }),
      [
        'f.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference must be an object, not "x"',
        'f.spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight must be a number from 0, not missing',
      ],
    ],
    [
      'namespaces of a term are texts, and its selector an object',
      pod({
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              term({ namespaces: [1], labelSelector: [], matchLabelKeys: 'a' }),
            ],
          },
        },
      }),
      [
        'f.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector must be an object, not []',
        'f.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespaces[0] must be a text, not 1',
        'f.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys must be a list, not "a"',
      ],
    ],
    [
      'a spread says what it is for',
      pod({
        topologySpreadConstraints: [{ topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'Maybe', minDomains: 0 }],
      }),
      [
        'f.spec.topologySpreadConstraints[0].whenUnsatisfiable must be one of DoNotSchedule, ScheduleAnyway, not "Maybe"',
        'f.spec.topologySpreadConstraints[0].minDomains must be a whole number from 1, not 0',
      ],
    ],
    [
      'a spread takes policies that there are',
      pod({
        topologySpreadConstraints: [
          {
            topologyKey: 'z',
            maxSkew: 1,
            whenUnsatisfiable: 'DoNotSchedule',
            nodeAffinityPolicy: 'honor',
            nodeTaintsPolicy: 1,
          },
        ],
      }),
      [
        'f.spec.topologySpreadConstraints[0].nodeAffinityPolicy must be one of Honor, Ignore, not "honor"',
        'f.spec.topologySpreadConstraints[0].nodeTaintsPolicy must be one of Honor, Ignore, not 1',
      ],
    ],
  ])('%s', (_, value, told) => expect(checkPod(value, 'f')).toEqual(told));
});
