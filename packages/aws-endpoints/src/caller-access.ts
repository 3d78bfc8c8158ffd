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
};

/**
 * How the calls of each way are decided. Without rules everybody may do everything. With rules, the policy of the rules
 * decides for the callers that it is of, and the policies of a role decide for the sessions of the role.
 */
export function authorizeWays(
  access: CallerAccess | undefined,
  { models, sessions, principals }: CallerWorld,
): { readonly direct?: AuthorizeCall; readonly signed?: AuthorizeCall } {
  if (access === undefined) return {};
  const { of, rules } = access;
  const decide = authorizeCalls({ ...models, principal: principals[of], rules });
  const decideOfSession = authorizeSessions({ models, rules });
  const signed: AuthorizeCall = (service, decoded, caller) => {
    const session = caller.accessKeyId === undefined ? undefined : sessions.find(caller.accessKeyId);
    if (session !== undefined) return decideOfSession(session)(service, decoded, caller);
    return of === 'signed' ? decide(service, decoded, caller) : undefined;
  };
  return { signed, ...(of === 'direct' && { direct: decide }) };
}

const authorizeSessions =
  ({ models, rules }: Pick<CallerWorld, 'models'> & { readonly rules: AccessRules }) =>
  (session: RoleSession): AuthorizeCall =>
    authorizeCalls({
      ...models,
      principal: describeSession(models.account, session).arn,
      rules: { ...rules, policy: readRolePolicies(models.iam, session.role.name) },
    });
