import type { ResourceType } from '@nodewright/apis';
import type { Watched } from '../../control-plane/watched.ts';
import type { ClusterWatches } from '../../control-plane/watches.ts';
import { definedKind, type KindDefinition } from '../defined-kinds.ts';
import type { Owners } from './owners.ts';

/** Follows each custom kind from when its definition is in force until the definition is gone. */
export function followDefinitions(
  definitions: Watched<KindDefinition>,
  { owners, custom }: { readonly owners: Owners; readonly custom: ClusterWatches },
): void {
  const followed = new Map<string, ResourceType>();
  const end = (name: string, type: ResourceType): void => {
    custom.end(type);
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
    followed.set(name, type);
    owners.follow(type, custom.of(type));
  };
  definitions.onChange((before, after) => {
    if (after !== undefined) return see(after.metadata.name, after);
    const name = before?.metadata.name ?? '';
    const known = followed.get(name);
    if (known === undefined) return;
    owners.drop(known);
    end(name, known);
  });
}
