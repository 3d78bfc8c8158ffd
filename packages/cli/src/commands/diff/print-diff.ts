import { byText, byTextOf } from '@nodewright/apis';
import { type FieldChange, isRolled, type ManifestDiff, type NodeDiff, type ObjectDiff } from '@nodewright/forecast';
import { printTable } from '../../terminal/table.ts';

/** The answer first: how many nodes go; then what changes, then each node that goes. */
export function printDiff(diff: ManifestDiff): string {
  const { objects, nodes, others } = diff;
  const rolled = nodes.filter(isRolled);
  const before = nodes.filter(({ now }) => now !== undefined).length;
  return [
    [
      ...describeRolled(rolled, diff),
      ...(before === 0 ? [] : [`${printNodeCount(before)} to be replaced already`]),
    ].join('\n'),
    ...objects.map(printObject),
    ...(rolled.length === 0 ? [] : [printRolled(rolled)]),
    ...(others.length === 0 ? [] : [`replaces no node by itself: ${others.join(', ')}`]),
  ].join('\n\n');
}

function describeRolled(rolled: readonly NodeDiff[], { nodes, objects }: ManifestDiff): readonly string[] {
  if (rolled.length === 0) return [`no node would be replaced${becauseNothing(objects)}`];
  const counts = new Map<string, number>();
  for (const { after = '' } of rolled) counts.set(after, (counts.get(after) ?? 0) + 1);
  const reasons = [...counts].toSorted(byTextOf(([reason]) => reason)).map(([reason, count]) => `${count} ${reason}`);
  const policies = [...new Set(rolled.flatMap(({ policy }) => policy ?? []))].toSorted(byText);
  const waves = policies.length === 0 ? [] : [`images go in the waves of ${policies.join(', ')}`];
  return [`${rolled.length} of ${printNodeCount(nodes.length)} would be replaced: ${reasons.join(', ')}`, ...waves];
}

const printNodeCount = (count: number): string => `${count} ${count === 1 ? 'node' : 'nodes'}`;

function becauseNothing(objects: readonly ObjectDiff[]): string {
  const same = objects.filter(({ hash, change }) => change !== 'new' && hash.before === hash.after);
  if (same.length === 0) return '';
  return `: ${same.map(({ kind, name, hash }) => `the hash ${hash.after} of ${kind} ${name} does not change`).join(', ')}`;
}

function printObject(object: ObjectDiff): string {
  const { kind, name, fields, problem } = object;
  return [
    `${kind} ${name}: ${describeChange(object)}`,
    ...fields.map((field) => `  ${printFieldChange(field)}`),
    ...printImages(object),
    ...(problem === undefined ? [] : [`  nothing could be launched: ${problem}`]),
  ].join('\n');
}

function describeChange({ change, hash: { before, after }, fields }: ObjectDiff): string {
  if (change === 'new') return `new, hash ${after}`;
  const hash = before === after ? `hash ${after} stays` : `hash ${before} becomes ${after}`;
  return change === 'same'
    ? `as it is, ${hash}`
    : `${fields.length} ${fields.length === 1 ? 'field changes' : 'fields change'}, ${hash}`;
}

/** `spec.weight: 10 becomes 20`. */
function printFieldChange({ path, before, after }: FieldChange): string {
  if (before === undefined) return `${path}: ${printed(after)} is added`;
  if (after === undefined) return `${path}: ${printed(before)} is taken away`;
  return `${path}: ${printed(before)} becomes ${printed(after)}`;
}

const printed = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function printImages({ images }: ObjectDiff): readonly string[] {
  if (images === undefined) return [];
  const named = (all: typeof images.after): string =>
    all.length === 0 ? 'none' : all.map(({ id, name, release }) => `${release ?? name} (${id})`).join(', ');
  const [before, after] = [named(images.before), named(images.after)];
  return before === after ? [`  images stay: ${after}`] : [`  images: ${before}`, `  become: ${after}`];
}

const printRolled = (rolled: readonly NodeDiff[]): string =>
  printTable(
    ['NODE', 'NODEPOOL', 'NODECLASS', 'REASON', 'BECAUSE'],
    rolled.map(({ node, nodePool, nodeClass, after = '', because = '' }) => [
      node,
      nodePool,
      nodeClass,
      after,
      because,
    ]),
  );
