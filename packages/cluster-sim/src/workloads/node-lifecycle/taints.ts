import type { Node, Taint, TaintEffect } from '@nodewright/apis';
import { readyOf } from './health.ts';

const nodeTaintPrefix = 'node.kubernetes.io/';
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
 * The taints that a node should have: its own, and the taints for its conditions and for a cordon.
 * `undefined` when it has them already.
 * @param at since when new ones stand, RFC 3339
 */
export function correctedTaints(node: Node, at: string): readonly Taint[] | undefined {
  const taints = node.spec?.taints ?? [];
  const wanted = wantedTaints(node);
  const kept = taints.filter(
    (taint) => !isManagedTaint(taint) || wanted.some((other) => isSameNodeTaint(taint, other)),
  );
  const missing = wanted.filter((taint) => !taints.some((other) => isSameNodeTaint(taint, other)));
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
    ...pressed.map(([, name]) => nodeTaint(name, 'NoSchedule')),
    ...(node.spec?.unschedulable === true ? [nodeTaint('unschedulable', 'NoSchedule')] : []),
  ];
}

function readinessTaints(ready: 'True' | 'False' | 'Unknown'): readonly Taint[] {
  if (ready === 'True') return [];
  const name = ready === 'False' ? 'not-ready' : 'unreachable';
  return [nodeTaint(name, 'NoSchedule'), nodeTaint(name, 'NoExecute')];
}

const nodeTaint = (name: string, effect: TaintEffect): Taint => ({ key: `${nodeTaintPrefix}${name}`, effect });

const isManagedTaint = ({ key }: Taint): boolean =>
  key.startsWith(nodeTaintPrefix) && managed.includes(key.slice(nodeTaintPrefix.length));

const isSameNodeTaint = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect;
