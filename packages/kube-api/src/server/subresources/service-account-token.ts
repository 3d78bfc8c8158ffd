import { toTimestamp } from '@nodewright/apis';
import type { BoundObject } from '../../auth/tokens/service-account-tokens.ts';
import { isObject, jsonTextAt, type JsonObject, type JsonValue } from '../../schema/json.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import { decodeObject } from '../../http/request-body.ts';
import { badRequestError, conflictError, invalidError, notFoundError } from '../../http/status-error.ts';
import type { ManagedFieldsEntry } from '../../apply/managed-fields.ts';
import { trackManagedFields } from '../../apply/track-managed-fields.ts';
import { emptyBuiltin } from '../../builtin/empty.ts';
import { tokenLifetimeCauses } from '../../builtin/validation/token-duration.ts';
import { builtinSchema } from '../../schema/definitions.ts';
import { readWriteOptions } from '../request-options.ts';
import { readSubresourceObject } from './subresource-body.ts';
import { admitSubresource } from '../admission.ts';
import type { RequestOutcome } from '../outcome.ts';
import { findExisting } from '../verbs/get.ts';
import type { ResourceCall, ServerContext } from '../world.ts';

const defaultSeconds = 3600;

/** Issues a signed token for a service account, bound to a pod, a secret or a node when the request says so. */
export function createServiceAccountToken(world: ServerContext, call: ResourceCall): RequestOutcome {
  const { manager } = readWriteOptions(call, 'CreateOptions');
  const body = readSubresourceObject(tokenType, decodeObject(call.body, call.headers['content-type'], 'TokenRequest'));
  const account = findExisting(world, call);
  const spec = isObject(body['spec']) ? body['spec'] : {};
  const { accounts } = world;
  const audiences = textsOf(spec['audiences']);
  const wanted = audiences.length === 0 ? [accounts.issuer.audience] : audiences;
  const { expirationSeconds: given } = spec;
  const expirationSeconds = typeof given === 'number' ? given : defaultSeconds;
  refuseDuration(expirationSeconds);
  const managedFields = ownersOfRequest(world, manager, { ...spec, expirationSeconds });
  const { name, namespace = '', uid } = account.metadata;
  const creationTimestamp = toTimestamp(world.clock.now());
  const metadata = { name, namespace, uid, creationTimestamp, managedFields };
  const type = { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1' };
  admitSubresource(world, call, { ...type, metadata: { name, namespace }, spec }, account);
  const binding = bindingOf(world, account, spec['boundObjectRef']);
  const { token, expiresAt } = accounts.issue({ account, audiences: wanted, expirationSeconds, ...binding });
  const boundObjectRef = spec['boundObjectRef'] ?? null;
  const status = { token, expirationTimestamp: toTimestamp(expiresAt) };
  const answered = { audiences: wanted, expirationSeconds, boundObjectRef };
  return { kind: 'document', code: 201, body: { ...type, metadata, spec: answered, status } };
}

const textsOf = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const tokenType = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };

/** Who wrote which member of a request: it is answered with itself. */
function ownersOfRequest(world: ServerContext, manager: string, spec: JsonObject): readonly ManagedFieldsEntry[] {
  const { group, version, kind } = tokenType;
  const apiVersion = `${group}/${version}`;
  return trackManagedFields({
    before: emptyBuiltin(tokenType),
    after: { kind, apiVersion, spec },
    schema: builtinSchema(group, version, kind) ?? {},
    manager,
    apiVersion,
    subresource: 'token',
    now: toTimestamp(world.clock.now()),
  });
}

function refuseDuration(wanted: number): void {
  const causes = tokenLifetimeCauses('spec.expirationSeconds', wanted);
  if (causes.length > 0) throw invalidError({ group: tokenType.group, kind: tokenType.kind }, '', causes);
}

type TokenBinding = { readonly bound?: BoundObject; readonly node?: { readonly name: string; readonly uid?: string } };

const collectionsOfBoundKinds = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' } as const;

type TokenPodSpec = { readonly serviceAccountName?: string; readonly nodeName?: string };

const isBindable = (kind: string): kind is keyof typeof collectionsOfBoundKinds =>
  Object.hasOwn(collectionsOfBoundKinds, kind);

function bindingOf(world: ServerContext, account: ApiObject, reference: JsonValue | undefined): TokenBinding {
  if (!isObject(reference)) return {};
  const kind = jsonTextAt(reference, 'kind');
  if (!isBindable(kind)) throw badRequestError(`cannot bind token to object of type ${tokenTypeText(reference)}`);
  const name = jsonTextAt(reference, 'name');
  const plural = collectionsOfBoundKinds[kind];
  const { name: accountName, namespace = '' } = account.metadata;
  const found = world.store.collection(plural).get({ namespace: kind === 'Node' ? '' : namespace, name });
  if (found === undefined) throw notFoundError({ group: '', plural }, name);
  const pod: TokenPodSpec | undefined = kind === 'Pod' ? (found['spec'] ?? {}) : undefined;
  if (pod !== undefined && pod.serviceAccountName !== accountName) {
    throw badRequestError(
      `cannot bind token for serviceaccount ${JSON.stringify(accountName)} to pod running with different serviceaccount name.`,
    );
  }
  refuseOtherAccount(found, kind, jsonTextAt(reference, 'uid'));
  const nodeName = pod?.nodeName ?? '';
  const node = nodeName === '' ? undefined : world.store.collection('nodes').get({ namespace: '', name: nodeName });
  return {
    bound: { kind, name, uid: found.metadata.uid ?? '' },
    ...(nodeName !== '' && {
      node: { name: nodeName, ...(node?.metadata.uid !== undefined && { uid: node.metadata.uid }) },
    }),
  };
}

const tokenTypeText = (reference: JsonObject): string =>
  `${jsonTextAt(reference, 'apiVersion')}, Kind=${jsonTextAt(reference, 'kind')}`;

function refuseOtherAccount({ metadata }: ApiObject, kind: string, uid: string): void {
  if (uid === '' || uid === metadata.uid) return;
  const because = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflictError({ group: '', plural: kind }, metadata.name, because);
}
