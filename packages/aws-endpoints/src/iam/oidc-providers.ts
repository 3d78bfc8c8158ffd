import type {
  AddClientIDToOpenIDConnectProviderRequest,
  CreateOpenIDConnectProviderRequest,
  CreateOpenIDConnectProviderResponse,
  DeleteOpenIDConnectProviderRequest,
  GetOpenIDConnectProviderRequest,
  GetOpenIDConnectProviderResponse,
  ListOpenIDConnectProvidersResponse,
  RemoveClientIDFromOpenIDConnectProviderRequest,
} from '@aws-sdk/client-iam';
import { AwsError } from '../codec/aws-error.ts';
import { readIamTags, writeIamTags } from './iam-tags.ts';
import type { Iam } from './model.ts';
import type { OidcProvider } from './oidc-provider.ts';

export function createOidcProvider(
  iam: Iam,
  request: CreateOpenIDConnectProviderRequest,
): CreateOpenIDConnectProviderResponse {
  const { Url: given = '', ClientIDList: clientIds = [], ThumbprintList: thumbprints = [], Tags = [] } = request;
  if (!/^https:\/\/[^/?#]+/.test(given)) throw new AwsError('ValidationError', 'Invalid Open ID Connect Provider URL');
  const url = given.replace(/^https:\/\//, '').replace(/\/$/, '');
  const arn = iam.arnOf(`oidc-provider/${url}`);
  if (iam.oidcProviders.has(arn))
    throw new AwsError('EntityAlreadyExists', `Provider with url ${given} already exists.`, { status: 409 });
  const tags = readIamTags(Tags);
  iam.oidcProviders.set(arn, { arn, url, clientIds, thumbprints, createdAt: iam.now(), tags });
  return { OpenIDConnectProviderArn: arn, Tags };
}

export function getOidcProvider(iam: Iam, request: GetOpenIDConnectProviderRequest): GetOpenIDConnectProviderResponse {
  const { url, clientIds, thumbprints, createdAt, tags } = findOidcProvider(iam, request.OpenIDConnectProviderArn);
  return {
    Url: url,
    ClientIDList: [...clientIds],
    ThumbprintList: [...thumbprints],
    CreateDate: new Date(createdAt),
    Tags: writeIamTags(tags),
  };
}

export const listOidcProviders = ({ oidcProviders }: Iam): ListOpenIDConnectProvidersResponse => ({
  OpenIDConnectProviderList: [...oidcProviders.keys()].toSorted().map((Arn) => ({ Arn })),
});

/** A provider that is not there is no error. */
export function deleteOidcProvider(
  iam: Iam,
  { OpenIDConnectProviderArn: arn = '' }: DeleteOpenIDConnectProviderRequest,
): object {
  iam.oidcProviders.delete(arn);
  return {};
}

export function addClientId(iam: Iam, request: AddClientIDToOpenIDConnectProviderRequest): object {
  const provider = findOidcProvider(iam, request.OpenIDConnectProviderArn);
  const clientIds = [...new Set([...provider.clientIds, request.ClientID ?? ''])];
  iam.oidcProviders.set(provider.arn, { ...provider, clientIds });
  return {};
}

export function removeClientId(iam: Iam, request: RemoveClientIDFromOpenIDConnectProviderRequest): object {
  const provider = findOidcProvider(iam, request.OpenIDConnectProviderArn);
  const clientIds = provider.clientIds.filter((id) => id !== request.ClientID);
  iam.oidcProviders.set(provider.arn, { ...provider, clientIds });
  return {};
}

function findOidcProvider({ oidcProviders }: Iam, arn = ''): OidcProvider {
  const found = oidcProviders.get(arn);
  if (found !== undefined) return found;
  throw new AwsError('NoSuchEntity', `OpenIDConnect Provider not found for arn ${arn}`, { status: 404 });
}
