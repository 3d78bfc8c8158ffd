import { conditionOf, fromTimestamp, karpenterAnnotations, type EC2NodeClass, type NodePool } from '@nodewright/apis';
import { hashVersion, nodeCapacityOf, nodePoolHash, sumOfResources } from '@nodewright/engine';
import { aNode, aNodeClass, aNodePool } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { planNodePool, type PoolSnapshot } from './plan.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');

const readyClass = (status: 'True' | 'False' | 'Unknown'): EC2NodeClass =>
  aNodeClass({}, { conditions: [{ type: 'Ready', status, reason: 'Because', message: 'of this' }] });

const pool: NodePool = {
  ...aNodePool(),
  metadata: { ...aNodePool().metadata, generation: 1, creationTimestamp: '2024-01-28T15:00:00Z' },
};

function written(traits: Partial<PoolSnapshot> = {}): NodePool {
  const seen = { nodePool: pool, nodeClass: readyClass('True'), claims: [], used: {}, ...traits };
  const write = planNodePool(seen, now).find(({ kind }) => kind === 'write');
  if (write?.kind !== 'write') throw new Error('expected a write');
  return write.after;
}

describe('a NodePool', () => {
  test('tells what its nodes have', () => {
    const used = sumOfResources([aNode('a'), aNode('b')].map(nodeCapacityOf));
    expect(written({ used }).status).toMatchObject({
      nodes: 2,
      resources: { cpu: '8', memory: '16Gi', pods: '220', nodes: '2', 'ephemeral-storage': '0' },
    });
  });

  test('carries the hash of its template', () => {
    expect(written().metadata.annotations).toEqual({
      [karpenterAnnotations.nodePoolHash]: nodePoolHash(pool),
      [karpenterAnnotations.nodePoolHashVersion]: hashVersion,
    });
  });

  for (const { fact, nodeClass, ready, reason } of [
    { fact: 'is ready when its class is', nodeClass: readyClass('True'), ready: 'True', reason: 'NodeClassReady' },
    { fact: 'gives the reason of its class', nodeClass: readyClass('False'), ready: 'False', reason: 'Because' },
    {
      fact: 'is not ready while its class is judged',
      nodeClass: readyClass('Unknown'),
      ready: 'False',
      reason: 'NodeClassReadinessUnknown',
    },
    { fact: 'is not ready without its class', nodeClass: undefined, ready: 'False', reason: 'NodeClassNotFound' },
  ] as const) {
    test(fact, () => {
      const after = written({ nodeClass });
      expect(conditionOf(after, 'NodeClassReady')).toMatchObject({ reason });
      expect(conditionOf(after, 'Ready')?.status).toBe(ready);
    });
  }

  test('is not ready when its template is invalid', () => {
    const invalid = { ...pool, spec: aNodePool('default', { labels: { 'karpenter.sh/nodepool': 'x' } }).spec };
    const after = written({ nodePool: invalid });
    expect(conditionOf(after, 'ValidationSucceeded')).toMatchObject({
      status: 'False',
      reason: 'NodePoolValidationFailed',
    });
    expect(conditionOf(after, 'Ready')?.status).toBe('False');
  });

  test('is left alone while it is deleted', () => {
    const deleted = { ...pool, metadata: { ...pool.metadata, deletionTimestamp: '2024-01-28T15:59:00Z' } };
    expect(planNodePool({ nodePool: deleted, nodeClass: undefined, claims: [], used: {} }, now)).toEqual([]);
  });

  test('asks for nothing new when it is as planned', () => {
    const after = written();
    const again = written({ nodePool: after });
    expect(again).toEqual(after);
  });
});
