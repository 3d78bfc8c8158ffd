import { readOwn, toTimestamp } from '@nodewright/apis';
import { isAllowed } from '../../auth/authorize.ts';
import type { Access } from '../../auth/access.ts';
import { readToken } from '../../auth/authenticate.ts';
import { groupVersion } from '../../resources/served-kind.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { textOf } from '../go-values.ts';
import type { Outcome } from '../outcome.ts';
import { decodeObject } from '../request-body.ts';
import type { Call, User, World } from '../world.ts';
import { rulesOf } from './rules.ts';

type Document = Readonly<Record<string, unknown>>;

/** Kinds that are asked, answered and forgotten. */
const answers: Readonly<Record<string, (world: World, call: Call, spec: JsonObject) => Document>> = {
  selfsubjectaccessreviews: (world, { user }, spec) => ({ spec, status: verdict(world, user, spec) }),
  subjectaccessreviews: (world, _call, spec) => ({ spec, status: verdict(world, subjectOf(spec), spec) }),
  localsubjectaccessreviews: (world, _call, spec) => ({ spec, status: verdict(world, subjectOf(spec), spec) }),
  selfsubjectrulesreviews: ({ store }, { user }, { namespace }) => ({
    spec: {},
    status: rulesOf(user, textOf(namespace), store),
  }),
  selfsubjectreviews: (_world, { user }) => ({ status: { userInfo: userInfo(user) } }),
  tokenreviews: (world, _call, spec) => ({ spec, status: tokenStatus(world, spec) }),
};

export const isReview = ({ resource }: Call): boolean => Object.hasOwn(answers, resource.plural);

/** Answers a review: whether somebody may do something, who somebody is. Nothing is stored. */
export function review(world: World, call: Call): Outcome {
  const { resource } = call;
  const body = decodeObject(call.body, call.headers['content-type'], resource.kind);
  const answer = readOwn(answers, resource.plural)?.(world, call, objectOf(body['spec'])) ?? {};
  const isDated = resource.plural === 'selfsubjectreviews';
  const metadata = isDated ? { creationTimestamp: toTimestamp(world.clock.now()) } : {};
  return {
    kind: 'document',
    code: 201,
    body: { kind: resource.kind, apiVersion: groupVersion(resource), metadata, ...answer },
  };
}

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

const subjectOf = ({ user, groups }: JsonObject): User => ({
  name: textOf(user),
  groups: [...(Array.isArray(groups) ? groups.map(textOf) : []), 'system:authenticated'],
});

const verdict = ({ store }: World, user: User, spec: JsonObject): Document => ({
  allowed: isAllowed(user, accessOf(spec), store),
});

function accessOf(spec: JsonObject): Access {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (isObject(nonResourceAttributes)) {
    return { verb: textOf(nonResourceAttributes['verb']), path: textOf(nonResourceAttributes['path']) };
  }
  const { verb, group, resource, namespace, name, subresource } = objectOf(resourceAttributes);
  return {
    verb: textOf(verb),
    resource: {
      group: textOf(group),
      plural: textOf(resource),
      namespace: textOf(namespace),
      name: textOf(name),
      subresource: textOf(subresource),
    },
  };
}

const userInfo = ({ name, uid, groups, extra }: User): Document => ({
  username: name,
  ...(uid !== undefined && { uid }),
  groups,
  ...(extra && { extra }),
});

function tokenStatus({ tokens }: World, spec: JsonObject): Document {
  const user = readToken(textOf(spec['token']), tokens);
  return user === undefined
    ? { user: {}, error: 'invalid bearer token' }
    : { authenticated: true, user: userInfo(user) };
}
