import type {
  CreateAccessKeyRequest,
  CreateAccessKeyResponse,
  DeleteAccessKeyRequest,
  ListAccessKeysRequest,
  ListAccessKeysResponse,
  UpdateAccessKeyRequest,
} from '@aws-sdk/client-iam';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import type { AwsCaller } from '../service.ts';
import { nameOfCaller } from './calling-user.ts';
import { badMarker } from './errors.ts';
import type { Iam } from './model.ts';
import type { IamUser, KeptUserKey } from './users.ts';

const mostKeys = 2;

const statusOfKey = ({ isActive }: KeptUserKey): 'Active' | 'Inactive' => (isActive ? 'Active' : 'Inactive');

export function createUserKey(
  iam: Iam,
  { UserName }: CreateAccessKeyRequest,
  caller: AwsCaller,
): CreateAccessKeyResponse {
  const { name, keys } = iam.users.getChangeable(UserName ?? nameOfCaller(iam, caller));
  if (keys.length >= mostKeys)
    throw new AwsError('LimitExceeded', `Cannot exceed quota for AccessKeysPerUser: ${mostKeys}`, { status: 409 });
  const key = iam.users.newKey();
  iam.users.change(name, { keys: [...keys, key] });
  return {
    AccessKey: {
      UserName: name,
      AccessKeyId: key.id,
      Status: statusOfKey(key),
      SecretAccessKey: iam.users.secretOf(key.id),
      CreateDate: new Date(key.createdAt),
    },
  };
}

export function listUserKeys(iam: Iam, request: ListAccessKeysRequest, caller: AwsCaller): ListAccessKeysResponse {
  const { UserName, MaxItems, Marker } = request;
  const { name, keys } = iam.users.get(UserName ?? nameOfCaller(iam, caller));
  const { items, next } = takePage(keys, { size: MaxItems ?? 100, token: Marker, refuse: badMarker });
  return {
    AccessKeyMetadata: items.map((key) => ({
      UserName: name,
      AccessKeyId: key.id,
      Status: statusOfKey(key),
      CreateDate: new Date(key.createdAt),
    })),
    IsTruncated: next !== undefined,
    ...(next && { Marker: next }),
  };
}

type KeyRequest = { readonly UserName?: string | undefined; readonly AccessKeyId: string | undefined };

export function updateUserKey(iam: Iam, request: UpdateAccessKeyRequest, caller: AwsCaller): object {
  const { name, keys } = findKey(iam, request, caller);
  const isActive = request.Status === 'Active';
  iam.users.change(name, { keys: keys.map((key) => (key.id === request.AccessKeyId ? { ...key, isActive } : key)) });
  return {};
}

export function deleteUserKey(iam: Iam, request: DeleteAccessKeyRequest, caller: AwsCaller): object {
  const { name, keys } = findKey(iam, request, caller);
  iam.users.change(name, { keys: keys.filter(({ id }) => id !== request.AccessKeyId) });
  return {};
}

/** @throws AwsError for a user or a key that there is not */
function findKey(iam: Iam, { UserName, AccessKeyId: id = '' }: KeyRequest, caller: AwsCaller): IamUser {
  const user = iam.users.getChangeable(UserName ?? nameOfCaller(iam, caller));
  if (user.keys.some((key) => key.id === id)) return user;
  throw new AwsError('NoSuchEntity', `The Access Key with id ${id} cannot be found.`, { status: 404 });
}
