import { byTextOf, type NodeOverlay } from '@nodewright/apis';
import type { InstanceType, Offering } from '../instance-types/instance-type.ts';
import type { PoolSupply } from '../instance-types/pool-supply.ts';
import { changesPrice } from './changed-price.ts';
import { overlayComplaint } from './overlay-complaint.ts';
import { heaviestOverlayFirst, weightOf } from './overlay-order.ts';
import { poolRequirements, reachedOfferings, readOverlay } from './overlay-reach.ts';

/** Whether an overlay counts, and if not, why. */
export type OverlayVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'invalid'; readonly message: string }
  /** Another one of the same weight, later in the alphabet, says something about the same thing. */
  | { readonly kind: 'conflict'; readonly message: string };

export type OverlayEvaluation = {
  /** Those that count, the heaviest first. */
  readonly accepted: readonly NodeOverlay[];
  /** Of every overlay, by name. */
  readonly verdicts: ReadonlyMap<string, OverlayVerdict>;
};

/**
 * Which overlays count for these pools and what they can launch. An overlay counts everywhere or nowhere: where it
 * meets another one of the same weight on one offering's price, or one resource of a type, it is turned down.
 */
export function evaluateOverlays(overlays: readonly NodeOverlay[], supplies: readonly PoolSupply[]): OverlayEvaluation {
  const byName = supplies.toSorted(byTextOf(({ nodePool }) => nodePool.metadata.name));
  let taken: TakenOfferings = { weight: Infinity, byPool: new Map() };
  const accepted: NodeOverlay[] = [];
  const verdicts = new Map<string, OverlayVerdict>();
  for (const overlay of overlays.toSorted(heaviestOverlayFirst)) {
    if (weightOf(overlay) !== taken.weight) taken = { weight: weightOf(overlay), byPool: new Map() };
    const verdict = verdictOfOverlay(overlay, byName, taken);
    verdicts.set(overlay.metadata.name, verdict);
    if (verdict.kind === 'accepted') accepted.push(overlay);
  }
  return { accepted, verdicts };
}

/** What an overlay says something about: what a type costs when bought in one way, or one resource of it. */
type OverlaySubject = {
  readonly pool: string;
  readonly type: InstanceType;
  readonly about: Offering | { readonly resource: string };
};

/** What overlays of one weight that count speak of, and which one does. Offerings are known by their objects. */
type TakenOfferings = { readonly weight: number; readonly byPool: Map<string, Map<Offering | string, string>> };

function verdictOfOverlay(
  overlay: NodeOverlay,
  supplies: readonly PoolSupply[],
  taken: TakenOfferings,
): OverlayVerdict {
  const message = overlayComplaint(overlay);
  if (message !== undefined) return { kind: 'invalid', message };
  const subjects = [...subjectsOf(overlay, supplies)];
  for (const subject of subjects) {
    const other = taken.byPool.get(subject.pool)?.get(identityOfSubject(subject));
    if (other !== undefined) return { kind: 'conflict', message: printedOverlayConflict(other, taken.weight, subject) };
  }
  for (const subject of subjects) {
    const ofPool = taken.byPool.get(subject.pool) ?? new Map<Offering | string, string>();
    taken.byPool.set(subject.pool, ofPool.set(identityOfSubject(subject), overlay.metadata.name));
  }
  return { kind: 'accepted' };
}

function* subjectsOf(overlay: NodeOverlay, supplies: readonly PoolSupply[]): Generator<OverlaySubject> {
  const read = readOverlay(overlay);
  const resources = Object.keys(overlay.spec.capacity ?? {}).toSorted();
  for (const { nodePool, instanceTypes } of supplies) {
    const labels = poolRequirements(nodePool);
    const pool = nodePool.metadata.name;
    for (const type of instanceTypes) {
      const reached = reachedOfferings(read, labels, type);
      if (reached.length === 0) continue;
      if (changesPrice(overlay)) for (const about of reached) yield { pool, type, about };
      for (const resource of resources) yield { pool, type, about: { resource } };
    }
  }
}

const identityOfSubject = ({ type, about }: OverlaySubject): Offering | string =>
  'resource' in about ? `${about.resource} of ${type.name}` : about;

const printedOverlayConflict = (other: string, weight: number, { pool, type, about }: OverlaySubject): string =>
  `NodeOverlay ${other} has the same weight of ${weight} and speaks of ` +
  `${'resource' in about ? `${about.resource} of ${type.name}` : `the price of ${wayToBuy(type, about)}`} in NodePool ${pool} too`;

const wayToBuy = ({ name }: InstanceType, { zone, capacityType, reservation }: Offering): string =>
  `${name} (${[capacityType, zone, ...(reservation === undefined ? [] : [reservation.id])].join(', ')})`;
