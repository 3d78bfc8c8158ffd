import {
  type AmiFamily,
  type EC2NodeClass,
  karpenterLabels,
  type NodeClaim,
  type Taint,
  unregisteredTaint,
} from '@nodewright/apis';
import { al2UserData } from './al2.ts';
import { al2023UserData } from './al2023.ts';
import type { BootstrapSettings } from './bootstrap.ts';
import { bottlerocketUserData } from './bottlerocket.ts';
import { windowsUserData } from './windows.ts';

/**
 * What an image of the family is started with, not yet in base64.
 * @throws SyntaxError when `spec.userData` is not of the family's form
 */
export function userData(family: AmiFamily, bootstrap: BootstrapSettings): string {
  switch (family) {
    case 'AL2':
      return al2UserData(bootstrap);
    case 'AL2023':
      return al2023UserData(bootstrap);
    case 'Bottlerocket':
      return bottlerocketUserData(bootstrap);
    case 'Custom':
      return bootstrap.custom ?? '';
    case 'Windows2019':
    case 'Windows2022':
    case 'Windows2025':
      return windowsUserData(bootstrap);
  }
}

/** Domains in which a kubelet may not label its own node; the controller adds those labels later. */
const keptFromKubelet = /^(?:[^/]*\.)?(?:node-restriction\.kubernetes\.io|kubernetes\.io|k8s\.io)\//;

/** The labels a kubelet registers with. */
export function bootLabels(claim: NodeClaim, family: AmiFamily, capacityType: string): BootstrapSettings['labels'] {
  const labels = {
    ...claim.metadata.labels,
    [karpenterLabels.capacityType]: capacityType,
    ...(family === 'Custom' ? {} : { [karpenterLabels.doNotSyncTaints]: 'true' }),
  };
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !keptFromKubelet.test(key)));
}

/** The taints that a kubelet registers with: those of the claim, and `karpenter.sh/unregistered`. */
export function bootTaints({ spec }: NodeClaim): readonly Taint[] {
  const taints = [...(spec.taints ?? []), ...(spec.startupTaints ?? [])];
  return taints.some(({ key }) => key === unregisteredTaint.key) ? taints : [...taints, unregisteredTaint];
}

export const customUserData = ({ spec }: EC2NodeClass): Pick<BootstrapSettings, 'custom'> =>
  spec.userData === undefined ? {} : { custom: spec.userData };
