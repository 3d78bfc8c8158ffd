import type { Environment } from '@marcbachmann/cel-js';
import { isAccessAllowed } from '../../auth/authorize.ts';
import type { Access } from '../../auth/access.ts';
import type { ReadableStore } from '../../auth/rbac.ts';
import type { User } from '../../auth/user.ts';

type ResourceAccess = Extract<Access, { readonly resource: unknown }>['resource'];

/** The variable `authorizer` of expressions: what the sender of a request may do. */
export class CelAuthorizer {
  readonly user: User;
  readonly store: ReadableStore;

  constructor(user: User, store: ReadableStore) {
    this.user = user;
    this.store = store;
  }
}

class CelCheck {
  readonly authorizer: CelAuthorizer;
  readonly about: ResourceAccess | string;

  constructor(authorizer: CelAuthorizer, about: ResourceAccess | string) {
    this.authorizer = authorizer;
    this.about = about;
  }

  with(change: Partial<ResourceAccess>): CelCheck {
    return typeof this.about === 'string' ? this : new CelCheck(this.authorizer, { ...this.about, ...change });
  }

  decide(verb: string): CelDecision {
    const { user, store } = this.authorizer;
    const access = typeof this.about === 'string' ? { verb, path: this.about } : { verb, resource: this.about };
    return new CelDecision(isAccessAllowed(user, access, store));
  }
}

class CelDecision {
  readonly isAllowed: boolean;

  constructor(isAllowed: boolean) {
    this.isAllowed = isAllowed;
  }
}

const nothing: ResourceAccess = { group: '', plural: '', namespace: '', name: '', subresource: '' };

const accountUser = (namespace: string, name: string): User => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
});

/** Registers the functions of `authorizer`. */
export const registerAuthorizer = (environment: Environment): Environment =>
  environment
    .registerType('authorizer', CelAuthorizer)
    .registerType('accessCheck', CelCheck)
    .registerType('accessDecision', CelDecision)
    .registerFunction(
      'authorizer.group(string): accessCheck',
      (from: CelAuthorizer, group: string) => new CelCheck(from, { ...nothing, group }),
    )
    .registerFunction(
      'authorizer.path(string): accessCheck',
      (from: CelAuthorizer, path: string) => new CelCheck(from, path),
    )
    .registerFunction(
      'authorizer.serviceAccount(string, string): authorizer',
      ({ store }: CelAuthorizer, namespace: string, name: string) =>
        new CelAuthorizer(accountUser(namespace, name), store),
    )
    .registerFunction('accessCheck.resource(string): accessCheck', (check: CelCheck, plural: string) =>
      check.with({ plural }),
    )
    .registerFunction('accessCheck.subresource(string): accessCheck', (check: CelCheck, subresource: string) =>
      check.with({ subresource }),
    )
    .registerFunction('accessCheck.namespace(string): accessCheck', (check: CelCheck, namespace: string) =>
      check.with({ namespace }),
    )
    .registerFunction('accessCheck.name(string): accessCheck', (check: CelCheck, name: string) => check.with({ name }))
    .registerFunction('accessCheck.check(string): accessDecision', (check: CelCheck, verb: string) =>
      check.decide(verb),
    )
    .registerFunction('accessDecision.allowed(): bool', ({ isAllowed }: CelDecision) => isAllowed)
    .registerFunction('accessDecision.reason(): string', () => '');
