import { kubernetesLabels, type Pod } from '@nodewright/apis';
import {
  hasIntersection,
  intersectRequirements,
  requirementFor,
  requireOneOf,
  type Requirement,
} from '@nodewright/requirements';
import { strictRequirements } from '../../pods/pod-constraints.ts';
import type { PodClass, PodForm } from '../pods/pod-class.ts';
import type { SchedulingProblem } from '../problem.ts';
import { prepareRound } from './schedule.ts';
import { allowedDomains, questionOf, spreadChoices } from '../topology/allowed-domains.ts';

/**
 * The zones in which each pod could be placed, before any pod is placed: the name of the only zone,
 * `flexible` when there are several, `none` when there is none. Preferences do not count.
 */
export function effectiveZones(problem: SchedulingProblem): ReadonlyMap<Pod, string> {
  if (problem.pods.length === 0) return new Map();
  return new Map(
    prepareRound(problem).pods.flatMap(({ podClass, pods }) => {
      const zone = effectiveZoneOf(podClass);
      return pods.map((pod) => [pod, zone] as const);
    }),
  );
}

function effectiveZoneOf(podClass: PodClass): string {
  const form = podClass.forms.at(-1);
  if (form === undefined) return 'none';
  const zones = new Set<string>();
  for (const volumes of podClass.volumeAlternatives) {
    const open = openZones(form, requirementFor(volumes, kubernetesLabels.zone));
    if (open === undefined) continue;
    if (open.complement) return 'flexible';
    for (const zone of open.values) zones.add(zone);
  }
  const [only, ...others] = zones;
  return only === undefined ? 'none' : others.length > 0 ? 'flexible' : only;
}

/** The zones that the pod, its volumes and its topology groups leave; `undefined` for none. */
function openZones(form: PodForm, ofVolumes: Requirement): Requirement | undefined {
  const own = requirementFor(strictRequirements(form.constraints), kubernetesLabels.zone);
  if (!hasIntersection(own, ofVolumes)) return undefined;
  let open = intersectRequirements(own, ofVolumes);
  for (const stake of form.stakes) {
    const { group } = stake;
    if (group.spec.key !== kubernetesLabels.zone) continue;
    const question = questionOf(stake, open);
    const allowed =
      group.spec.rule === 'spread'
        ? requireOneOf(kubernetesLabels.zone, spreadChoices(group, question))
        : allowedDomains(group, question);
    if (allowed === 'any') continue;
    if (allowed === 'none' || !hasIntersection(open, allowed)) return undefined;
    open = intersectRequirements(open, allowed);
  }
  return open;
}
