import type {
  CreatePolicyVersionRequest,
  CreatePolicyVersionResponse,
  DeletePolicyVersionRequest,
  GetPolicyVersionRequest,
  GetPolicyVersionResponse,
  ListPolicyVersionsRequest,
  ListPolicyVersionsResponse,
  PolicyVersion as WireVersion,
  SetDefaultPolicyVersionRequest,
} from '@aws-sdk/client-iam';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { badMarker, deleteConflict, noSuchManagedPolicy } from './errors.ts';
import { checkPolicyDocument, findManagedPolicy } from './managed-policy-operations.ts';
import { defaultVersionOf, listPolicyVersionsOf, type ManagedPolicy, type PolicyVersion } from './managed-policies.ts';
import type { Iam } from './model.ts';

/** As many versions as a policy may have. */
const mostPolicyVersions = 5;

export function createPolicyVersion(iam: Iam, request: CreatePolicyVersionRequest): CreatePolicyVersionResponse {
  const { PolicyArn: arn = '', PolicyDocument: document = '', SetAsDefault: isDefault = false } = request;
  const policy = requireOwnPolicy(iam, arn);
  checkPolicyDocument(document);
  const versions = listPolicyVersionsOf(policy);
  if (versions.length >= mostPolicyVersions)
    throw new AwsError(
      'LimitExceeded',
      `A managed policy can have up to ${mostPolicyVersions} versions. Before you create a new version, you must delete an existing version.`,
      { status: 409 },
    );
  const highest = policy.highestVersion ?? versions.length;
  const version = { id: `v${highest + 1}`, document, createdAt: iam.now() };
  const changed = { ...policy, versions: [...versions, version], highestVersion: highest + 1 };
  keepPolicy(iam, changed, isDefault ? version : defaultVersionOf(policy));
  return { PolicyVersion: { ...writePolicyVersion(iam, arn, version), Document: undefined } };
}

/** The document of a policy is that of its default version. */
function keepPolicy(iam: Iam, policy: ManagedPolicy, { id, document }: PolicyVersion): void {
  iam.managedPolicies.set(policy.arn, { ...policy, document, defaultVersion: id, updatedAt: iam.now() });
}

function requireOwnPolicy(iam: Iam, arn: string): ManagedPolicy {
  const found = iam.managedPolicies.get(arn);
  if (found === undefined) throw noSuchManagedPolicy(arn);
  return found;
}

function requirePolicyVersion(iam: Iam, arn: string, id: string): PolicyVersion {
  const found = listPolicyVersionsOf(findManagedPolicy(iam, arn)).find((version) => version.id === id);
  if (found !== undefined) return found;
  throw new AwsError('NoSuchEntity', `Policy ${arn} version ${id} does not exist or is not attachable.`, {
    status: 404,
  });
}

/** The policies of AWS have no document here, so that they have no version. */
export function getPolicyVersion(iam: Iam, request: GetPolicyVersionRequest): GetPolicyVersionResponse {
  const { PolicyArn: arn = '', VersionId: id = '' } = request;
  return { PolicyVersion: writePolicyVersion(iam, arn, requirePolicyVersion(iam, arn, id)) };
}

const writePolicyVersion = (iam: Iam, arn: string, { id, document, createdAt }: PolicyVersion): WireVersion => ({
  Document: encodeURIComponent(document),
  VersionId: id,
  IsDefaultVersion: id === defaultVersionOf(findManagedPolicy(iam, arn)).id,
  CreateDate: new Date(createdAt),
});

/** The newest first, without their documents. */
export function listPolicyVersions(iam: Iam, request: ListPolicyVersionsRequest): ListPolicyVersionsResponse {
  const { PolicyArn: arn = '', MaxItems, Marker } = request;
  const versions = listPolicyVersionsOf(findManagedPolicy(iam, arn)).toReversed();
  const { items, next } = takePage(versions, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return {
    Versions: items.map((version) => ({ ...writePolicyVersion(iam, arn, version), Document: undefined })),
    IsTruncated: next !== undefined,
    ...(next && { Marker: next }),
  };
}

export function setDefaultPolicyVersion(iam: Iam, request: SetDefaultPolicyVersionRequest): object {
  const { PolicyArn: arn = '', VersionId: id = '' } = request;
  const policy = requireOwnPolicy(iam, arn);
  keepPolicy(iam, policy, requirePolicyVersion(iam, arn, id));
  return {};
}

export function deletePolicyVersion(iam: Iam, request: DeletePolicyVersionRequest): object {
  const { PolicyArn: arn = '', VersionId: id = '' } = request;
  const policy = requireOwnPolicy(iam, arn);
  requirePolicyVersion(iam, arn, id);
  const present = defaultVersionOf(policy);
  if (id === present.id) throw deleteConflict('Cannot delete the default version of a policy.');
  const versions = listPolicyVersionsOf(policy);
  const left = versions.filter((version) => version.id !== id);
  keepPolicy(iam, { ...policy, versions: left, highestVersion: policy.highestVersion ?? versions.length }, present);
  return {};
}
