import type { UserCaller } from './iam/users.ts';
import type { FindUserKey } from './sts/assume-role.ts';
import { describeSession } from './sts/callers.ts';
import type { RoleSession, Sessions } from './sts/sessions.ts';
import {
  type AccessRules,
  type AuthorizationDeps,
  type AuthorizeCall,
  authorizeCalls,
} from './authorization/authorize-call.ts';
import { readPrincipalPolicies } from './authorization/role-policies.ts';

/** The rights of those who call as objects, as the controller of this process does, or of those who sign. */
export type CallerAccess = { readonly of: 'direct' | 'signed'; readonly rules: AccessRules };

type CallerWorld = {
  readonly models: Omit<AuthorizationDeps, 'principal' | 'rules'>;
  readonly sessions: Sessions;
  readonly findUserKey: FindUserKey;
  /** Whom a refusal of each way names. */
  readonly principals: Readonly<Record<CallerAccess['of'], string>>;
  /** The name of the role that direct callers are in. */
  readonly controllerRole: string;
};

/**
 * How the calls of each way are decided. Without rules everybody may do everything. With rules, the policy of the rules
 * decides for the callers that it is of; the policies of a role decide for its sessions, those of a user for the user. The policies of
 * the controller's role are added to what direct callers may do, so that a Deny there holds in any case.
 */
export function authorizeWays(
  access: CallerAccess | undefined,
  world: CallerWorld,
): { readonly direct: AuthorizeCall; readonly signed?: AuthorizeCall } {
  const direct = authorizeController(access?.of === 'direct' ? access.rules : undefined, world);
  if (access === undefined) return { direct };
  const { of, rules } = access;
  const { models, sessions, findUserKey, principals } = world;
  const decide = authorizeCalls({ ...models, principal: principals.signed, rules });
  const decideOfSession = authorizeSessions({ models, rules });
  const decideOfUser = authorizeUsers({ models, rules });
  const signed: AuthorizeCall = (service, decoded, caller) => {
    const { accessKeyId = '' } = caller;
    const session = sessions.find(accessKeyId);
    if (session !== undefined) return decideOfSession(session)(service, decoded, caller);
    const user = findUserKey(accessKeyId);
    if (user !== undefined) return decideOfUser(user)(service, decoded, caller);
    return of === 'signed' ? decide(service, decoded, caller) : undefined;
  };
  return { direct, signed };
}

const allowEverything: AccessRules = {
  policy: {
    statements: [
      {
        sid: 'Everything',
        effect: 'Allow',
        actions: { patterns: ['*'], isNegated: false },
        resources: { patterns: ['*'], isNegated: false },
        conditions: [],
      },
    ],
  },
  mode: 'enforce',
};

function authorizeController(
  given: AccessRules | undefined,
  { models, principals, controllerRole }: CallerWorld,
): AuthorizeCall {
  const { policy, ...rules } = given ?? allowEverything;
  return (service, decoded, caller) => {
    const { statements } = readPrincipalPolicies(models.iam, models.iam.findRole(controllerRole));
    if (given === undefined && statements.length === 0) return undefined;
    const merged = { statements: [...policy.statements, ...statements] };
    const decide = authorizeCalls({ ...models, principal: principals.direct, rules: { ...rules, policy: merged } });
    return decide(service, decoded, caller);
  };
}

const authorizeSessions =
  ({ models, rules }: Pick<CallerWorld, 'models'> & { readonly rules: AccessRules }) =>
  (session: RoleSession): AuthorizeCall =>
    authorizeCalls({
      ...models,
      principal: describeSession(models.account, session).arn,
      rules: { ...rules, policy: readPrincipalPolicies(models.iam, models.iam.findRole(session.role.name)) },
    });

const authorizeUsers =
  ({ models, rules }: Pick<CallerWorld, 'models'> & { readonly rules: AccessRules }) =>
  ({ user }: UserCaller): AuthorizeCall =>
    authorizeCalls({
      ...models,
      principal: user.arn,
      rules: { ...rules, policy: readPrincipalPolicies(models.iam, models.iam.users.get(user.name)) },
    });
