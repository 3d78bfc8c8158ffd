import type { KubernetesObject } from '@nodewright/apis';
import { aNodePool } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { typesByPool, zonesIn } from './supplies.ts';
import type { OfflineWorld } from './offline-world.ts';

const aClass = (name: string, ...zones: readonly string[]): KubernetesObject & { readonly status: object } => ({
  kind: 'EC2NodeClass',
  metadata: { name },
  status: { subnets: zones.map((zone) => ({ id: `subnet-${zone}`, zone })) },
});
const aNodeIn = (zone: string): KubernetesObject => ({
  kind: 'Node',
  metadata: { name: zone, labels: { 'topology.kubernetes.io/zone': zone } },
});
const ofUsEast1 = ['us-east-1a', 'us-east-1b', 'us-east-1c'];

describe('nodes may be', () => {
  test.each<readonly [fact: string, objects: readonly KubernetesObject[], zones: readonly string[]]>([
    ['in three zones of us-east-1 where nothing names another', [], ofUsEast1],
    [
      'in the zones of subnets, sorted, each once',
      [aClass('a', 'eu-west-1b', 'eu-west-1a'), aClass('b', 'eu-west-1b')],
      ['eu-west-1a', 'eu-west-1b'],
    ],
    [
      'in the zones of subnets, whatever nodes there are',
      [aClass('a', 'eu-west-1b'), aNodeIn('eu-west-1c')],
      ['eu-west-1b'],
    ],
    ['in the zones of nodes where no class has subnets yet', [aClass('a'), aNodeIn('eu-west-1c')], ['eu-west-1c']],
    ['nowhere that is no zone: the catalogue has no such prices', [aNodeIn('rack-7')], ofUsEast1],
    ['not in a node without a zone', [{ kind: 'Node', metadata: { name: 'n' } }], ofUsEast1],
  ])('%s', (_, objects, zones) => expect(zonesIn(objects)).toEqual(zones));
});

describe('what a pool could launch', () => {
  const aPoolOf = (name: string, nodeClass: string): KubernetesObject => {
    const { metadata, spec } = aNodePool(name);
    const template = {
      ...spec.template,
      spec: { ...spec.template.spec, nodeClassRef: { group: 'g', kind: 'k', name: nodeClass } },
    };
    const pool = { kind: 'NodePool', metadata, spec: { ...spec, template } };
    return pool;
  };
  const asked: (string | undefined)[] = [];
  const world = {
    typesOf: async (nodeClass?: KubernetesObject) => {
      asked.push(nodeClass?.metadata.name);
      return [{ name: `of ${nodeClass?.metadata.name ?? 'none'}` }];
    },
  } as unknown as OfflineWorld;

  test('is asked for once a class, and a class that is not there is told', async () => {
    const pools = [aPoolOf('a', 'blue'), aPoolOf('b', 'blue'), aPoolOf('c', 'green'), aPoolOf('d', 'absent')];
    const { typesOf, assumed } = await typesByPool(
      [aClass('blue'), aClass('green'), aClass('unused'), ...pools],
      world,
    );
    expect(asked).toEqual([undefined, 'blue', 'green']);
    expect(assumed).toEqual(['absent']);
    expect(pools.map((pool) => typesOf(pool as never).map(({ name }) => name))).toEqual([
      ['of blue'],
      ['of blue'],
      ['of green'],
      ['of none'],
    ]);
    expect(typesOf(aPoolOf('e', 'other') as never)).toEqual([]);
  });
});
