import { type EC2NodeClass, kubernetesLabels, type NodePool, type StatusAmi } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import {
  requirementsIntersect,
  intersectSets,
  type Requirements,
  parseRequirements,
  requirementsOfLabels,
  selectBootImage,
  withoutKeys,
} from '@nodewright/requirements';
import { isExotic } from '../launch/options/launch-options.ts';
import { asksForDedicated, type LaunchTenancy } from '../launch/options/tenancy.ts';
import { amiFamilyOfNodeClass, isWindowsFamily } from '../node-settings/kubelet-settings.ts';

/** What a launch is tried with. */
export type TrialType = { readonly type: InstanceType; readonly image: StatusAmi };

const common = ['m5.large', 'm6g.large'];

/**
 * A type that some NodePool of the class may be given, one without accelerators if there is one; where no NodePool
 * can be given any, and for Windows, a common one.
 */
export function trialType(
  nodeClass: EC2NodeClass,
  pools: readonly NodePool[],
  types: readonly InstanceType[],
): TrialType | undefined {
  const images = nodeClass.status?.amis ?? [];
  const possible = types.flatMap((type): TrialType[] => {
    const image = selectBootImage(type, images);
    return image === undefined ? [] : [{ type, image }];
  });
  const asked = isWindowsFamily(amiFamilyOfNodeClass(nodeClass)) ? [] : pools.map(requirementsInAnyZone);
  const wanted = possible.filter(({ type }) => asked.some((each) => requirementsIntersect(each, type.requirements)));
  return simplest(wanted) ?? commonOf(possible) ?? simplest(possible);
}

const simplest = (among: readonly TrialType[]): TrialType | undefined =>
  commonOf(among) ?? among.find(({ type }) => !isExotic(type)) ?? among[0];

const commonOf = (among: readonly TrialType[]): TrialType | undefined =>
  among.find(({ type }) => common.includes(type.name));

const requirementsInAnyZone = ({ spec: { template } }: NodePool): Requirements =>
  intersectSets(
    withoutKeys(parseRequirements(template.spec.requirements), zoneKeys),
    requirementsOfLabels(template.metadata?.labels),
  );

const zoneKeys: ReadonlySet<string> = new Set([kubernetesLabels.zone]);

/** Dedicated when a NodePool lets its nodes be so. */
export const trialTenancy = (pools: readonly NodePool[]): LaunchTenancy =>
  pools.some(asksForDedicated) ? 'dedicated' : 'default';
