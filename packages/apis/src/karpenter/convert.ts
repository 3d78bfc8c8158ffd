import type { KubernetesObject } from '../kubernetes/meta.ts';
import { ValueError } from '../values/value-error.ts';
import type { EC2NodeClass, NodeClaim, NodePool } from './types.ts';
import type { EC2NodeClassV1Beta1 } from './v1beta1/carried-over.ts';
import { ec2NodeClassToV1, ec2NodeClassToV1Beta1 } from './v1beta1/convert-ec2-node-class.ts';
import { nodeClaimToV1, nodeClaimToV1Beta1, type NodeClaimV1Beta1 } from './v1beta1/convert-node-claim.ts';
import { nodePoolToV1, nodePoolToV1Beta1, type NodePoolV1Beta1 } from './v1beta1/convert-node-pool.ts';

type Conversion = (object: KubernetesObject) => KubernetesObject;

/** By kind, group and version asked for. Objects come validated by the schema of the version they are in. */
const conversions: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  ['NodePool karpenter.sh/v1', (object) => nodePoolToV1(object as NodePoolV1Beta1)],
  ['NodePool karpenter.sh/v1beta1', (object) => nodePoolToV1Beta1(object as NodePool)],
  ['NodeClaim karpenter.sh/v1', (object) => nodeClaimToV1(object as NodeClaimV1Beta1)],
  ['NodeClaim karpenter.sh/v1beta1', (object) => nodeClaimToV1Beta1(object as NodeClaim)],
  ['EC2NodeClass karpenter.k8s.aws/v1', (object) => ec2NodeClassToV1(object as EC2NodeClassV1Beta1)],
  ['EC2NodeClass karpenter.k8s.aws/v1beta1', (object) => ec2NodeClassToV1Beta1(object as EC2NodeClass)],
]);

/**
 * A NodePool, NodeClaim or EC2NodeClass in another version: `v1` or `v1beta1` of its group. The very same
 * object when it already is in that version.
 * An object without a spec, which v1 allows for an EC2NodeClass, changes its apiVersion only.
 * @throws ValueError when there is no such kind or version
 */
export function convertToVersion(object: KubernetesObject, apiVersion: string): KubernetesObject {
  if (object.apiVersion === apiVersion) return object;
  const conversion = conversions.get(`${object.kind} ${apiVersion}`);
  if (conversion === undefined) {
    throw new ValueError(`${object.kind} ${apiVersion}`, `one of ${[...conversions.keys()].join(', ')}`);
  }
  return 'spec' in object ? conversion(object) : { ...object, apiVersion };
}
