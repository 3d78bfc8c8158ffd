import type { User } from './user.ts';

const nodeUserPrefix = 'system:node:';

/** The name of the node that a user is; undefined for users that are no nodes. */
export const nodeOfUser = ({ name, groups }: User): string | undefined =>
  name.startsWith(nodeUserPrefix) && groups.includes('system:nodes') ? name.slice(nodeUserPrefix.length) : undefined;
