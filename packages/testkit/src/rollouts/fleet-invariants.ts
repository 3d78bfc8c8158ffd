import { fromTimestamp, hours } from '@nodewright/apis';
import type { SimulatedFleet } from './simulated-fleet.ts';

/** Limits that hold after every step, as the policy of a fleet has them. */
export type FleetLimits = { readonly maxPerHour: number; readonly maxSurge: number };

/** What is wrong with a fleet after a step: empty when every invariant holds. */
export function findBrokenInvariants(fleet: SimulatedFleet, limits: FleetLimits): readonly string[] {
  return [
    ...seatsExceeded(fleet),
    ...wrongLaunches(fleet),
    ...paceExceeded(fleet, limits),
    ...surgeExceeded(fleet, limits),
    ...lostEndpoints(fleet),
    ...untrueParking(fleet),
  ];
}

/** No claim for the target is created while members take all seats. */
const seatsExceeded = ({ launches }: SimulatedFleet): readonly string[] =>
  launches
    .filter(({ seatOf, isLastWave, members, seats }) => seatOf !== undefined && !isLastWave && members > seats)
    .map(({ node, members, seats }) => `1: ${node} is member ${members} of ${seats} seats`);

/** No launch is from a blocked image, and none from a target but in a seat, for an exception, or in the last wave. */
const wrongLaunches = (fleet: SimulatedFleet): readonly string[] =>
  fleet.launches.flatMap(({ node, blocked, image, seatOf, because }) => {
    if (blocked) return [`3: ${node} is launched from the blocked image ${image}`];
    const allowed = ['seat', 'lastWave', 'proven', 'newVariant', 'gone', 'blocked', 'outsideSkew'];
    if (!allowed.includes(because)) return [`3: ${node} is launched because ${because}`];
    return seatOf !== undefined && because !== 'seat'
      ? [`3: ${node} has a seat and is launched because ${because}`]
      : [];
  });

function paceExceeded({ policy }: SimulatedFleet, { maxPerHour }: FleetLimits): readonly string[] {
  const times = (policy.status?.begun ?? []).map(({ at }) => fromTimestamp(at));
  return times.flatMap((at) => {
    const within = times.filter((other) => other >= at && other - at < hours(1)).length;
    return within > maxPerHour ? [`4: ${within} replacements within an hour`] : [];
  });
}

/**
 * A replacement whose old node is still to go is a node more than without the rollout. Parked nodes hold no slot, and what
 * a halt leaves behind stays.
 */
function surgeExceeded({ nodes, policy }: SimulatedFleet, { maxSurge }: FleetLimits): readonly string[] {
  const admitted = new Set((policy.status?.admitted ?? []).map(({ node }) => node));
  const going = new Set(
    nodes.filter(({ gone, name }) => gone === undefined && admitted.has(name)).map(({ name }) => name),
  );
  const surplus = nodes.filter(({ replaces }) => replaces !== undefined && going.has(replaces)).length;
  return surplus > maxSurge ? [`4: ${surplus} additional nodes`] : [];
}

/** A Service with several endpoints never has all of them on nodes that drain. */
const lostEndpoints = ({ services, nodes }: SimulatedFleet): readonly string[] =>
  services.flatMap(({ service, nodes: names }) => {
    const present = names.map((name) => nodes.find((node) => node.name === name)).filter((node) => node !== undefined);
    return present.length > 1 && present.length === names.length && present.every(({ leaving }) => leaving)
      ? [`7: all endpoints of ${service} drain together`]
      : [];
  });

/** A parked node names the pod that keeps it. */
const untrueParking = ({ policy }: SimulatedFleet): readonly string[] =>
  (policy.status?.parked ?? []).flatMap(({ node, pod }) =>
    pod === undefined ? [`5: ${node} is parked without a reason`] : [],
  );
