import type { KubernetesObject } from '../../kubernetes/meta.ts';
import type { EC2NodeClass } from '../types.ts';
import type { EC2NodeClassSpecV1Beta1 } from './ec2-node-class.ts';

export type EC2NodeClassV1Beta1 = KubernetesObject & {
  readonly spec: EC2NodeClassSpecV1Beta1;
  readonly status?: NonNullable<EC2NodeClass['status']>;
};

/** The members of a v1 spec that v1beta1 knows as well. */
export function carryOverSpec(spec: Omit<EC2NodeClass['spec'], 'amiFamily' | 'amiSelectorTerms'>) {
  const {
    capacityReservationSelectorTerms: _reservations,
    connectionTracking: _tracking,
    cpuOptions: _cpu,
    ipPrefixCount: _prefixes,
    kubelet: _kubelet,
    networkInterfaces: _interfaces,
    placementGroupSelector: _placement,
    ...rest
  } = spec;
  return rest;
}
