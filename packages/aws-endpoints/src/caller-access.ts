import { describeSession } from './sts/callers.ts';
import type { RoleSession, Sessions } from './sts/sessions.ts';
import {
  type AccessRules,
  type AuthorizationDeps,
  type AuthorizeCall,
  authorizeCalls,
} from './authorization/authorize-call.ts';
import { readRolePolicies } from './authorization/role-policies.ts';

/** The rights of those who call as objects, as the controller of this process does, or of those who sign. */
export type CallerAccess = { readonly of: 'direct' | 'signed'; readonly rules: AccessRules };

type CallerWorld = {
  readonly models: Omit<AuthorizationDeps, 'principal' | 'rules'>;
  readonly sessions: Sessions;
  /** Whom a refusal of each way names. */
  readonly principals: Readonly<Record<CallerAccess['of'], string>>;
  /** The name of the role that direct callers are in. */
  readonly controllerRole: string;
};

/**
 * How the calls of each way are decided. Without rules everybody may do everything. With rules, the policy of the rules
 * decides for the callers that it is of, and the policies of a role decide for the sessions of the role. The policies of
 * the controller's role are added to what direct callers may do, so that a Deny there holds in any case.
 */
export function authorizeWays(
  access: CallerAccess | undefined,
  world: CallerWorld,
): { readonly direct: AuthorizeCall; readonly signed?: AuthorizeCall } {
  const direct = authorizeController(access?.of === 'direct' ? access.rules : undefined, world);
  if (access === undefined) return { direct };
  const { of, rules } = access;
  const { models, sessions, principals } = world;
  const decide = authorizeCalls({ ...models, principal: principals.signed, rules });
  const decideOfSession = authorizeSessions({ models, rules });
  const signed: AuthorizeCall = (service, decoded, caller) => {
    const session = caller.accessKeyId === undefined ? undefined : sessions.find(caller.accessKeyId);
    if (session !== undefined) return decideOfSession(session)(service, decoded, caller);
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
    const { statements } = readRolePolicies(models.iam, controllerRole);
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
      rules: { ...rules, policy: readRolePolicies(models.iam, session.role.name) },
    });
