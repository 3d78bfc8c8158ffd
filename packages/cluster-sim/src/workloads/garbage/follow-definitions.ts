import type { ResourceType } from '@nodewright/apis';
import type { ClusterWatches } from '../../control-plane/watches.ts';
import { definedKind, type KindDefinition, kindDefinitions } from '../defined-kinds.ts';
import { firstCustomKinds } from '../kinds.ts';
import type { Owners } from './owners.ts';

/** Follows each custom kind from when its definition is in force until the definition is gone. */
export function followDefinitions(watches: ClusterWatches, owners: Owners): void {
  /** By the names of the definitions. */
  const followed = new Map<string, ResourceType>();
  const follow = (name: string, type: ResourceType): void => {
    followed.set(name, type);
    owners.follow(type, watches.of(type));
  };
  const end = (name: string, type: ResourceType): void => {
    watches.end(type);
    followed.delete(name);
  };
  const see = (name: string, definition: KindDefinition): void => {
    const type = definedKind(definition);
    const known = followed.get(name);
    // A definition that is being deleted is not in force any more, while its objects still go.
    if (type === undefined || type.version === known?.version) return;
    if (known !== undefined) {
      owners.leave(known);
      end(name, known);
    }
    follow(name, type);
  };
  for (const type of firstCustomKinds) follow(`${type.plural}.${type.group}`, type);
  watches.of(kindDefinitions).onChange((before, after) => {
    if (after !== undefined) return see(after.metadata.name, after);
    const name = before?.metadata.name ?? '';
    const known = followed.get(name);
    if (known === undefined) return;
    owners.drop(known);
    end(name, known);
  });
}
