import { type LabelSelector, labelSelectorPredicate, oncePerObject } from '@nodewright/apis';
import type { PolicyRule } from '../auth/rbac.ts';
import { asJsonValue, isEqualJson } from '../schema/json.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { ApiObjectStore } from '../storage/store.ts';

const roleCollection = 'clusterroles.rbac.authorization.k8s.io';

type ClusterRole = ApiObject & {
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] } | null;
};

/** Keeps the rules of roles that are made of other roles. */
export class AggregatedRoles {
  readonly #store: ApiObjectStore;

  constructor(store: ApiObjectStore) {
    this.#store = store;
    store.collection(roleCollection).subscribe(() => this.aggregate());
  }

  /** Writes the rules of every such role that are not right. Each write leads here again. */
  aggregate(): void {
    const roles = this.#store.collection(roleCollection).list() as readonly ClusterRole[];
    for (const role of roles) {
      if (!role.aggregationRule) continue;
      const rules = rulesFrom(role, roles);
      if (isEqualJson(asJsonValue(role.rules ?? []), asJsonValue(rules))) continue;
      this.#store.put(roleCollection, { ...role, rules });
      return;
    }
  }
}

function rulesFrom(role: ClusterRole, roles: readonly ClusterRole[]): readonly PolicyRule[] {
  const chosen = roles.filter(({ metadata }) => metadata.name !== role.metadata.name && selects(role, metadata.labels));
  return [...new Map(chosen.flatMap(textedRules)).values()];
}

const selects = (role: ClusterRole, labels: ApiObject['metadata']['labels']): boolean =>
  selectorsOf(role).some((isSelected) => isSelected(labels));

const selectorsOf = oncePerObject(({ aggregationRule }: ClusterRole) =>
  (aggregationRule?.clusterRoleSelectors ?? []).map((selector) => labelSelectorPredicate(selector)),
);

/** The rules with what tells them apart. */
const textedRules = oncePerObject(({ rules }: ClusterRole) =>
  (rules ?? []).map((rule): readonly [string, PolicyRule] => [JSON.stringify(rule), rule]),
);
