import { aNodePool } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { poolComplaints } from './validation.ts';

type Traits = Parameters<typeof aNodePool>[1];

const x = 'x'.repeat(64);

describe('a NodePool at run time', () => {
  for (const { fact, traits, complaints } of [
    { fact: 'is fine with nothing special', traits: {}, complaints: 0 },
    {
      fact: 'may not set the label of its own name',
      traits: { labels: { 'karpenter.sh/nodepool': 'x' } },
      complaints: 1,
    },
    { fact: 'may not use restricted label domains', traits: { labels: { 'foo.karpenter.sh/x': 'y' } }, complaints: 1 },
    { fact: 'may use a domain that only ends alike', traits: { labels: { 'xkarpenter.sh/foo': 'y' } }, complaints: 0 },
    { fact: 'refuses label names over 63 characters', traits: { labels: { [`a.com/${x}`]: 'y' } }, complaints: 1 },
    { fact: 'refuses label values that are none', traits: { labels: { team: 'a b' } }, complaints: 1 },
    {
      fact: 'accepts a taint value with a slash',
      traits: { taints: [{ key: 'a', value: 'b.c/d', effect: 'NoSchedule' }] },
      complaints: 0,
    },
    {
      fact: 'refuses a taint that is a startup taint too',
      traits: { taints: [{ key: 'a', effect: 'NoSchedule' }], startupTaints: [{ key: 'a', effect: 'NoSchedule' }] },
      complaints: 1,
    },
    {
      fact: 'accepts one key with two effects',
      traits: {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoExecute' },
        ],
      },
      complaints: 0,
    },
    {
      fact: 'refuses In without values',
      traits: { requirements: [{ key: 'a', operator: 'In', values: [] }] },
      complaints: 1,
    },
    {
      fact: 'refuses fewer values than minValues',
      traits: { requirements: [{ key: 'a', operator: 'In', values: ['b'], minValues: 2 }] },
      complaints: 1,
    },
    {
      fact: 'refuses a bound that is no number',
      traits: { requirements: [{ key: 'a', operator: 'Gt', values: ['b'] }] },
      complaints: 1,
    },
    {
      fact: 'refuses two bounds in one',
      traits: { requirements: [{ key: 'a', operator: 'Lt', values: ['1', '2'] }] },
      complaints: 1,
    },
    {
      fact: 'refuses a requirement on the pool label',
      traits: { requirements: [{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['a'] }] },
      complaints: 1,
    },
    {
      fact: 'refuses capacity types that are none',
      traits: { requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['reserve'] }] },
      complaints: 1,
    },
    {
      fact: 'lets unknown capacity types pass beside known ones',
      traits: { requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'reserve'] }] },
      complaints: 0,
    },
  ] satisfies readonly { fact: string; traits: Traits; complaints: number }[]) {
    test(fact, () => {
      expect(poolComplaints(aNodePool('default', traits))).toHaveLength(complaints);
    });
  }
});
