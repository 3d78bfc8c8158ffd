import type { Node, Taint, TaintEffect } from '@nodewright/apis';
import { readyOf } from './health.ts';

const prefix = 'node.kubernetes.io/';
const managed = [
  'not-ready',
  'unreachable',
  'unschedulable',
  'memory-pressure',
  'disk-pressure',
  'pid-pressure',
  'network-unavailable',
];

const pressures = [
  ['MemoryPressure', 'memory-pressure'],
  ['DiskPressure', 'disk-pressure'],
  ['PIDPressure', 'pid-pressure'],
  ['NetworkUnavailable', 'network-unavailable'],
] as const;

/**
 * The taints that a node is to have: its own, and those that stand for its conditions and for being cordoned.
 * `undefined` when it has them already.
 * @param at since when new ones stand, RFC 3339
 */
export function correctedTaints(node: Node, at: string): readonly Taint[] | undefined {
  const taints = node.spec?.taints ?? [];
  const wanted = wantedTaints(node);
  const kept = taints.filter((taint) => !isManaged(taint) || wanted.some((other) => isSame(taint, other)));
  const missing = wanted.filter((taint) => !taints.some((other) => isSame(taint, other)));
  if (kept.length === taints.length && missing.length === 0) return undefined;
  return [...kept, ...missing.map((taint) => ({ ...taint, timeAdded: at }))];
}

function wantedTaints(node: Node): readonly Taint[] {
  const conditions = node.status?.conditions ?? [];
  const pressed = pressures.filter(([type]) =>
    conditions.some((found) => found.type === type && found.status === 'True'),
  );
  return [
    ...readinessTaints(readyOf(node)?.status ?? 'Unknown'),
    ...pressed.map(([, name]) => taint(name, 'NoSchedule')),
    ...(node.spec?.unschedulable === true ? [taint('unschedulable', 'NoSchedule')] : []),
  ];
}

function readinessTaints(ready: 'True' | 'False' | 'Unknown'): readonly Taint[] {
  if (ready === 'True') return [];
  const name = ready === 'False' ? 'not-ready' : 'unreachable';
  return [taint(name, 'NoSchedule'), taint(name, 'NoExecute')];
}

const taint = (name: string, effect: TaintEffect): Taint => ({ key: `${prefix}${name}`, effect });

const isManaged = ({ key }: Taint): boolean => key.startsWith(prefix) && managed.includes(key.slice(prefix.length));

const isSame = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect;
