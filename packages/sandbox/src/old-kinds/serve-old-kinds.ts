import { type FieldComplaint, judgeOldKind, type KubernetesObject, listOldKindCrds } from '@nodewright/apis';
import { customResourceRefusals } from '@nodewright/kube-api';
import type { Random } from '@nodewright/runtime';

/** What a rewritten object takes from the cluster it is in: the role, the discovery tags and the images of Ubuntu. */
export type RewriteTarget = { readonly clusterName: string; readonly kubernetesVersion: () => string };

/** AWSNodeTemplate and Provisioner for the API server: what cannot be rewritten to v1 is refused, what gets lost is warned of. */
export const serveOldKinds = (target: RewriteTarget, uids: Random) =>
  listOldKindCrds().map((crd) => ({
    crd: { ...crd, metadata: { ...crd.metadata, uid: uids.uuid() } },
    judge: (object: KubernetesObject) => verdictOn(object, target),
  }));

function verdictOn(object: KubernetesObject, { clusterName, kubernetesVersion }: RewriteTarget) {
  const outcome = judgeOldKind(object, { clusterName, kubernetesVersion: kubernetesVersion() });
  if ('complaints' in outcome) return { causes: outcome.complaints.map(causeOfComplaint), warnings: [] };
  const causes = customResourceRefusals(outcome.object).map((refusal) =>
    causeOfComplaint({ field: 'spec', remedy: `${outcome.object.kind} made of it would be refused: ${refusal}` }),
  );
  return { causes, warnings: outcome.remarks };
}

const causeOfComplaint = ({ field, value, remedy }: FieldComplaint) => ({
  reason: 'FieldValueInvalid' as const,
  message: value === undefined ? `Invalid value: ${remedy}` : `Invalid value: ${JSON.stringify(value)}: ${remedy}`,
  field,
});
