import { type Deployment, deployments, type ReplicaSet } from '@nodewright/apis';
import { controlledBy } from '../../objects/ownership.ts';
import { hashOfTemplate } from '../../objects/template-hash.ts';
import { hashLabel } from './rollout.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';

export const revisionOfReplicaSet = ({ metadata }: ReplicaSet): number =>
  Number(metadata.annotations?.[revisionAnnotation] ?? 0);

/** One more than any of the earlier ones has. */
export const nextRevision = (old: readonly ReplicaSet[]): number => Math.max(0, ...old.map(revisionOfReplicaSet)) + 1;

/** The ReplicaSet of a Deployment's present template, named and labelled by the template's hash. */
export function newReplicaSet(deployment: Deployment, old: readonly ReplicaSet[], replicas: number): ReplicaSet {
  const { selector, template, minReadySeconds } = deployment.spec;
  const hash = hashOfTemplate(template);
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  const { name, namespace } = deployment.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels,
      annotations: { [revisionAnnotation]: String(nextRevision(old)) },
      ownerReferences: [controlledBy(deployments, deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}
