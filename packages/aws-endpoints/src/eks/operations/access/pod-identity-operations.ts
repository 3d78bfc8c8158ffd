import type {
  CreatePodIdentityAssociationRequest,
  CreatePodIdentityAssociationResponse,
  DeletePodIdentityAssociationRequest,
  DeletePodIdentityAssociationResponse,
  DescribePodIdentityAssociationRequest,
  DescribePodIdentityAssociationResponse,
  ListPodIdentityAssociationsRequest,
  ListPodIdentityAssociationsResponse,
  PodIdentityAssociation,
  PodIdentityAssociationSummary,
  UpdatePodIdentityAssociationRequest,
  UpdatePodIdentityAssociationResponse,
} from '@aws-sdk/client-eks';
import { toTimestamp } from '@nodewright/apis';
import { arnOf } from '../../../account.ts';
import { AwsError } from '../../../codec/aws-error.ts';
import { derivedId } from '../../../ec2/derived-ids.ts';
import { takePage } from '../../../paging.ts';
import type { KeptPodIdentity } from '../../access-entry.ts';
import { inUse, invalidParameter } from '../../errors.ts';
import type { Eks } from '../../model.ts';
import { eksPage } from '../page.ts';

const roleForm = /^arn:aws[\w-]*:iam::\d{12}:role\/.+$/;

export function createPodIdentity(
  eks: Eks,
  request: CreatePodIdentityAssociationRequest,
): CreatePodIdentityAssociationResponse {
  const { namespace = '', serviceAccount = '', roleArn = '', targetRoleArn, tags = {} } = request;
  const { name: clusterName } = eks.clusters.cluster(request.clusterName ?? '');
  checkPodIdentity(eks, request);
  const now = toTimestamp(eks.clusters.now());
  const id = derivedId('a', `${clusterName} ${namespace}/${serviceAccount}`, now).replace('a-0', 'a-');
  const association = keepPodIdentity(eks, {
    id,
    clusterName,
    namespace,
    serviceAccount,
    roleArn,
    ...(targetRoleArn !== undefined && { targetRoleArn }),
    disableSessionTags: request.disableSessionTags ?? false,
    tags,
    createdAt: now,
    modifiedAt: now,
  });
  return { association };
}

/**
 * Refuses an association that cannot be made.
 * @param replaced ids of associations that go when this one is made
 * @throws AwsError
 */
export function checkPodIdentity(
  eks: Eks,
  request: CreatePodIdentityAssociationRequest,
  replaced: readonly string[] = [],
): void {
  const { clusterName = '', namespace, serviceAccount, roleArn = '' } = request;
  if (!roleForm.test(roleArn))
    throw invalidParameter({ clusterName }, `Role provided in the request does not exist: ${roleArn}`);
  const twin = listOfCluster(eks, clusterName).find(
    (each) => each.namespace === namespace && each.serviceAccount === serviceAccount && !replaced.includes(each.id),
  );
  if (twin !== undefined) throw inUse({ clusterName }, `Association already exists: ${twin.id}`);
}

const listOfCluster = ({ podIdentities }: Eks, name: string): readonly KeptPodIdentity[] =>
  [...podIdentities.values()].filter(({ clusterName }) => clusterName === name);

function keepPodIdentity(eks: Eks, identity: KeptPodIdentity): PodIdentityAssociation {
  eks.podIdentities.set(identity.id, identity);
  return writePodIdentity(eks, identity);
}

const writePodIdentity = ({ account }: Eks, identity: KeptPodIdentity): PodIdentityAssociation => ({
  clusterName: identity.clusterName,
  namespace: identity.namespace,
  serviceAccount: identity.serviceAccount,
  roleArn: identity.roleArn,
  ...(identity.targetRoleArn !== undefined && { targetRoleArn: identity.targetRoleArn }),
  associationArn: arnOf(account, 'eks', `podidentityassociation/${identity.clusterName}/${identity.id}`),
  associationId: identity.id,
  disableSessionTags: identity.disableSessionTags,
  tags: { ...identity.tags },
  createdAt: new Date(identity.createdAt),
  modifiedAt: new Date(identity.modifiedAt),
});

const summarizePodIdentity = (eks: Eks, identity: KeptPodIdentity): PodIdentityAssociationSummary => {
  const { clusterName, namespace, serviceAccount, associationArn, associationId } = writePodIdentity(eks, identity);
  return { clusterName, namespace, serviceAccount, associationArn, associationId };
};

type IdentityPlace = { readonly clusterName?: string | undefined; readonly associationId?: string | undefined };

function findPodIdentity(eks: Eks, { clusterName = '', associationId: id = '' }: IdentityPlace): KeptPodIdentity {
  const { name } = eks.clusters.cluster(clusterName);
  const found = eks.podIdentities.get(id);
  if (found?.clusterName === name) return found;
  throw new AwsError('ResourceNotFoundException', `No pod identity association found for ID: ${id}`, { status: 404 });
}

export const describePodIdentity = (
  eks: Eks,
  request: DescribePodIdentityAssociationRequest,
): DescribePodIdentityAssociationResponse => ({ association: writePodIdentity(eks, findPodIdentity(eks, request)) });

export function listPodIdentities(
  eks: Eks,
  request: ListPodIdentityAssociationsRequest,
): ListPodIdentityAssociationsResponse {
  const { name } = eks.clusters.cluster(request.clusterName ?? '');
  const { namespace, serviceAccount } = request;
  const found = listOfCluster(eks, name).filter(
    (each) =>
      each.namespace === (namespace ?? each.namespace) &&
      each.serviceAccount === (serviceAccount ?? each.serviceAccount),
  );
  const { items, next } = takePage(found, eksPage(request));
  return { associations: items.map((each) => summarizePodIdentity(eks, each)), ...(next && { nextToken: next }) };
}

export function updatePodIdentity(
  eks: Eks,
  request: UpdatePodIdentityAssociationRequest,
): UpdatePodIdentityAssociationResponse {
  const identity = findPodIdentity(eks, request);
  const { roleArn = identity.roleArn, disableSessionTags = identity.disableSessionTags } = request;
  const modifiedAt = toTimestamp(eks.clusters.now());
  return { association: keepPodIdentity(eks, { ...identity, roleArn, disableSessionTags, modifiedAt }) };
}

export function deletePodIdentity(
  eks: Eks,
  request: DeletePodIdentityAssociationRequest,
): DeletePodIdentityAssociationResponse {
  const identity = findPodIdentity(eks, request);
  eks.podIdentities.delete(identity.id);
  return { association: writePodIdentity(eks, identity) };
}
