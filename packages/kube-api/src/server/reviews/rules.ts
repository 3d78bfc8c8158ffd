import { isAdministrator } from '../../auth/authorize.ts';
import { type Rule, rulesFor } from '../../auth/rbac.ts';
import type { Store } from '../../storage/store.ts';
import type { User } from '../../auth/user.ts';

type Document = Readonly<Record<string, unknown>>;

const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
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

/** What somebody may do in a namespace, as `kubectl auth can-i --list` shows it. */
export function rulesOf(user: User, namespace: string, store: Store): Document {
  const isAdmin = isAdministrator(user);
  const granted = isAdmin ? [] : rulesFor(user, namespace, store);
  const isPath = ({ nonResourceURLs }: Rule): boolean => nonResourceURLs !== undefined;
  return {
    resourceRules: [...(isAdmin ? [everything] : []), ...granted.filter((rule) => !isPath(rule)), ...selfReviews],
    nonResourceRules: [...(isAdmin ? [everyPath, health, discovery] : [discovery, health]), ...granted.filter(isPath)],
    incomplete: false,
  };
}
