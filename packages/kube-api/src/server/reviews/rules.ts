import { isAdministrator } from '../../auth/authorize.ts';
import { nodeOfUser } from '../../auth/node-user.ts';
import { type PolicyRule, rulesFor } from '../../auth/rbac.ts';
import type { ApiObjectStore } from '../../storage/store.ts';
import type { User } from '../../auth/user.ts';

type RulesDocument = Readonly<Record<string, unknown>>;

const everyResource = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
const everyPath = { verbs: ['*'], nonResourceURLs: ['*'] };

const selfReviews = [
  {
    verbs: ['create'],
    apiGroups: ['authorization.k8s.io'],
    resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
  },
  { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
];

const health = { verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] };
const discovery = {
  verbs: ['get'],
  nonResourceURLs: [
    '/api',
    '/api/*',
    '/apis',
    '/apis/*',
    '/healthz',
    '/livez',
    '/openapi',
    '/openapi/*',
    '/readyz',
    '/version',
    '/version/',
  ],
};

/** The rules of a user in a namespace, as `kubectl auth can-i --list` shows them. */
export function listAllowedRules(user: User, namespace: string, store: ApiObjectStore): RulesDocument {
  const isAdmin = isAdministrator(user);
  const isNode = nodeOfUser(user) !== undefined;
  const known = new Set([...selfReviews, health, discovery].map(textOfRule));
  const granted = isAdmin ? [] : rulesFor(user, namespace, store).filter((rule) => !known.has(textOfRule(rule)));
  const isPath = ({ nonResourceURLs }: PolicyRule): boolean => nonResourceURLs !== undefined;
  return {
    resourceRules: [...(isAdmin ? [everyResource] : []), ...granted.filter((rule) => !isPath(rule)), ...selfReviews],
    nonResourceRules: [...(isAdmin ? [everyPath, health, discovery] : [discovery, health]), ...granted.filter(isPath)],
    incomplete: isNode,
    ...(isNode && { evaluationError: 'node authorizer does not support user rule resolution' }),
  };
}

/** The default rules of every user have their own places in the list. */
const textOfRule = ({ verbs, apiGroups, resources, nonResourceURLs }: PolicyRule): string =>
  JSON.stringify([verbs, apiGroups, resources, nonResourceURLs]);
