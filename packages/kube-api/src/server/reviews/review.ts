import { readOwn, toTimestamp } from '@nodewright/apis';
import { selectorsCount } from '../../auth/access.ts';
import { isAccessAllowed } from '../../auth/authorize.ts';
import type { Access } from '../../auth/access.ts';
import { readBearerToken } from '../../auth/authenticate.ts';
import { groupVersion } from '../../resources/served-kind.ts';
import { isObject, type JsonValue, type JsonObject } from '../../schema/json.ts';
import { textOrEmpty } from '../../http/go-values.ts';
import type { RequestOutcome } from '../outcome.ts';
import { asApiObject, asJson, fillDefaults } from '../../resources/rules.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import { decodeAccepted } from '../accepted-object.ts';
import { readWriteOptions } from '../request-options.ts';
import { trackOwners } from '../verbs/object-writes.ts';
import { refuseBadReview } from './review-problems.ts';
import type { User } from '../../auth/user.ts';
import type { ObjectCall, ResourceCall, ServerContext } from '../world.ts';
import { listAllowedRules } from './rules.ts';

type ReviewDocument = Readonly<Record<string, unknown>>;

/** The review kinds. A review is answered and not stored. */
const reviewAnswers: Readonly<
  Record<string, (world: ServerContext, call: ObjectCall, spec: JsonObject, status: JsonObject) => ReviewDocument>
> = {
  selfsubjectaccessreviews: (world, { user }, spec) => ({ spec, status: verdict(world, user, spec) }),
  subjectaccessreviews: (world, _call, spec) => ({ spec, status: verdict(world, subjectOf(spec), spec) }),
  localsubjectaccessreviews: (world, _call, spec) => ({ spec, status: verdict(world, subjectOf(spec), spec) }),
  selfsubjectrulesreviews: ({ store }, { user }, { namespace }) => ({
    spec: {},
    status: listAllowedRules(user, textOrEmpty(namespace), store),
  }),
  selfsubjectreviews: (_world, { user }) => ({ status: { userInfo: userInfo(user) } }),
  tokenreviews: (world, _call, spec, given) => ({ spec, status: tokenStatus(world, spec, given) }),
};

export const isReview = ({ resource }: ObjectCall): boolean => Object.hasOwn(reviewAnswers, resource.plural);

export function serveReview(world: ServerContext, call: ResourceCall): RequestOutcome {
  const options = readWriteOptions(call, 'CreateOptions');
  const accepted = decodeAccepted(call, options);
  const received = withPlace(
    call,
    asJson(keepsItself(call) ? fillDefaults(call.resource, newMetadata(accepted)) : accepted),
  );
  refuseBadReview(call, received);
  return { kind: 'document', code: 201, body: answerReview(world, call, received, options.manager) };
}

/** A token is reviewed in the object that asks for it. */
const keepsItself = ({ resource }: ObjectCall): boolean => resource.plural === 'tokenreviews';

/** Without what only a server gives. */
function newMetadata(object: ApiObject): ApiObject {
  const { name, generateName, generation, resourceVersion, labels, annotations, ownerReferences, finalizers } =
    object.metadata;
  const kept = { name, generateName, generation, resourceVersion, labels, annotations, ownerReferences, finalizers };
  const metadata = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  return asApiObject({ ...object, metadata });
}

/** A review of a namespace need not name it. */
const withPlace = ({ resource, path }: ObjectCall, body: JsonObject): JsonObject =>
  resource.namespaced ? { ...body, metadata: { ...objectMember(body['metadata']), namespace: path.namespace } } : body;

/**
 * Answers a review: whether a user may do something, or who a user is.
 * @param manager who owns the fields of an answer that repeats the request
 */
export function answerReview(
  world: ServerContext,
  call: ObjectCall,
  body: JsonObject,
  manager?: string,
): ReviewDocument {
  const { resource } = call;
  const answer =
    readOwn(reviewAnswers, resource.plural)?.(world, call, objectMember(body['spec']), objectMember(body['status'])) ??
    {};
  const type = { kind: resource.kind, apiVersion: groupVersion(resource) };
  return { ...type, metadata: reviewMetadata(world, call, body, manager), ...answer };
}

/** A question about oneself is answered with a new object, every other one with itself. */
function reviewMetadata(
  world: ServerContext,
  { resource }: ObjectCall,
  body: JsonObject,
  manager: string | undefined,
): JsonObject {
  if (resource.plural === 'selfsubjectreviews') return { creationTimestamp: toTimestamp(world.clock.now()) };
  if (manager === undefined || resource.plural === 'selfsubjectrulesreviews') return {};
  return asJson(trackOwners(world, resource, { after: asApiObject(body), writer: { manager }, ownsStatus: true }))[
    'metadata'
  ] as JsonObject;
}

const objectMember = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

const subjectOf = ({ user, groups }: JsonObject): User => ({
  name: textOrEmpty(user),
  groups: Array.isArray(groups) ? groups.map(textOrEmpty) : [],
});

const verdict = ({ store, registry }: ServerContext, user: User, spec: JsonObject): ReviewDocument => ({
  allowed: isAccessAllowed(user, accessOf(spec, selectorsCount(registry.minor)), store),
});

function accessOf(spec: JsonObject, isSelected: boolean): Access {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (isObject(nonResourceAttributes)) {
    return { verb: textOrEmpty(nonResourceAttributes['verb']), path: textOrEmpty(nonResourceAttributes['path']) };
  }
  const { verb, group, resource, namespace, name, subresource } = objectMember(resourceAttributes);
  return {
    verb: textOrEmpty(verb),
    resource: {
      group: textOrEmpty(group),
      plural: textOrEmpty(resource),
      namespace: textOrEmpty(namespace),
      name: textOrEmpty(name),
      subresource: textOrEmpty(subresource),
    },
    ...(isSelected && { fieldSelector: fieldSelectorOf(objectMember(resourceAttributes)) }),
  };
}

/** The equations of a review, as a selector. */
function fieldSelectorOf({ fieldSelector }: JsonObject): string {
  const { rawSelector, requirements } = objectMember(fieldSelector);
  const equations = (Array.isArray(requirements) ? requirements : [])
    .map(objectMember)
    .flatMap(({ key, values }) =>
      Array.isArray(values) && values.length === 1 ? [`${textOrEmpty(key)}=${textOrEmpty(values[0])}`] : [],
    );
  return [textOrEmpty(rawSelector), ...equations].filter((text) => text !== '').join(',');
}

const userInfo = ({ name, uid, groups, extra }: User): ReviewDocument => ({
  username: name,
  ...(uid !== undefined && { uid }),
  groups,
  ...(extra && { extra }),
});

/** What the review said of the user before stays beside the error. */
function tokenStatus(world: ServerContext, spec: JsonObject, given: JsonObject): ReviewDocument {
  const { audiences: asked } = spec;
  const wanted = Array.isArray(asked) && asked.length > 0 ? asked.map(textOrEmpty) : undefined;
  const reading = readBearerToken(textOrEmpty(spec['token']), world, wanted);
  if (reading.kind === 'accepted') {
    const { user, audiences } = reading;
    return { authenticated: true, user: userInfo(user), ...(audiences && { audiences }) };
  }
  const unknown = 'invalid bearer token';
  const { authenticated: _claimed, ...kept } = given;
  return { user: {}, ...kept, error: reading.reason === undefined ? unknown : `[${unknown}, ${reading.reason}]` };
}
