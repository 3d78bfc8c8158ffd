import { byTextOf, oncePerObject, parseDurationOrNever } from '@nodewright/apis';
import type { EC2NodeClass, NodePool } from '@nodewright/apis';
import { amiFamilyOf } from '../images/ami-family.ts';
import { structuralHash } from './structural-hash.ts';
import type { HashedStructure } from './structural-hash.ts';

/**
 * Goes beside every hash, on pools and claims alike. Our numbers differ from those of Karpenter
 * (`v3`, `v6`), and only hashes of one version are compared: with a tag of our own, claims that
 * Karpenter made are given new hashes when we take over, rather than all being found drifted.
 */
export const hashVersion = 'nodewright-v1';

/**
 * Equal for pools whose nodes are configured alike: labels, annotations, taints, startup taints,
 * NodeClass, termination grace period and expiry of the template. Requirements and everything
 * outside the template are left out: they are compared with each node, or change no node.
 */
export const nodePoolHash = ({ spec }: NodePool): string => nodePoolTemplateHash(spec.template);

/** Every change of a pool's nodes asks for its hash. */
const nodePoolTemplateHash = oncePerObject(({ metadata, spec }: NodePool['spec']['template']): string =>
  structuralHash({
    labels: metadata?.labels,
    annotations: metadata?.annotations,
    taints: spec.taints?.map(({ key, value, effect }) => ({ key, value, effect })),
    startupTaints: spec.startupTaints?.map(({ key, value, effect }) => ({ key, value, effect })),
    nodeClassRef: { ...spec.nodeClassRef },
    terminationGracePeriod: durationText(spec.terminationGracePeriod),
    expireAfter: durationText(spec.expireAfter),
  }),
);

/** Two spellings of a duration are one; `Never` is like none; zero is not. */
function durationText(text: string | undefined): string | undefined {
  const ms = text === undefined ? 'Never' : parseDurationOrNever(text);
  return ms === 'Never' ? undefined : `${ms}ms`;
}

/** What a NodeClass selects by is looked up anew and compared with each instance; the prefix count changes no running one. */
const notHashed: ReadonlySet<string> = new Set([
  'amiFamily',
  'amiSelectorTerms',
  'capacityReservationSelectorTerms',
  'ipPrefixCount',
  'kubelet',
  'securityGroupSelectorTerms',
  'subnetSelectorTerms',
]);

/**
 * Equal for NodeClasses whose instances are launched alike. The image family counts as resolved, so
 * that spelling it out beside an alias changes nothing.
 * @param cluster.caBundle what goes into user data beside the spec, base64
 */
export function ec2NodeClassHash(nodeClass: EC2NodeClass, cluster: { readonly caBundle?: string } = {}): string {
  const fields = Object.entries(nodeClass.spec).filter(([field]) => !notHashed.has(field));
  return structuralHash({
    ...(Object.fromEntries(fields) as Record<string, HashedStructure>),
    amiFamily: amiFamilyOf(nodeClass),
    kubelet: nodeClass.spec.kubelet === undefined ? undefined : JSON.stringify(sortedFields(nodeClass.spec.kubelet)),
    caBundle: cluster.caBundle,
  });
}

const sortedFields = (object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(object).toSorted(byTextOf(([name]) => name)));
