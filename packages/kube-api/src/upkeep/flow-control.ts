import { toTimestamp } from '@nodewright/apis';
import { flowGroup } from '../bootstrap/flow-notation.ts';
import { flowSchemas, priorityLevels } from '../bootstrap/flow-control.ts';
import { withStatusOwner } from '../resources/server-owners.ts';
import { installAside, type ServerWrites } from '../resources/server-writes.ts';
import type { ApiObject } from '../storage/api-object.ts';

const schemaCollection = `flowschemas.${flowGroup}`;
const levelCollection = `prioritylevelconfigurations.${flowGroup}`;

type FlowCondition = { readonly type: string; readonly status: 'True' | 'False'; readonly lastTransitionTime: string };

type StoredFlow = ApiObject & {
  readonly spec: { readonly priorityLevelConfiguration: { readonly name: string } };
  readonly status?: { readonly conditions?: readonly FlowCondition[] };
};

/**
 * Keeps the flow schemas and priority levels that every cluster has, and the condition `Dangling` of schemas. They have no
 * effect: the server answers every request at once.
 */
export class FlowControlObjects {
  readonly #writes: ServerWrites;

  constructor(writes: ServerWrites) {
    this.#writes = writes;
    const { store } = writes;
    store.collection(schemaCollection).subscribe(({ type, object }) => {
      if (type === 'DELETED') this.install();
      else this.#judge(object as StoredFlow);
    });
    store.collection(levelCollection).subscribe(({ type }) => {
      if (type === 'DELETED') this.install();
      if (type !== 'MODIFIED') this.#judgeAll();
    });
  }

  /** Creates those that are missing. A deleted one comes back, as on a real server. */
  install(): void {
    for (const level of priorityLevels) installAside(this.#writes, levelCollection, level);
    for (const schema of flowSchemas) installAside(this.#writes, schemaCollection, schema);
  }

  #judgeAll(): void {
    for (const schema of this.#writes.store.collection(schemaCollection).list()) this.#judge(schema as StoredFlow);
  }

  #judge(schema: StoredFlow): void {
    const { store, clock } = this.#writes;
    const level = schema.spec.priorityLevelConfiguration.name;
    const isDangling = store.collection(levelCollection).get({ namespace: '', name: level }) === undefined;
    const status = isDangling ? 'True' : 'False';
    const others = schema.status?.conditions ?? [];
    if (others.find(({ type }) => type === 'Dangling')?.status === status) return;
    const condition = {
      type: 'Dangling',
      status,
      lastTransitionTime: toTimestamp(clock.now()),
      ...reasonFor(level, isDangling),
    };
    const conditions = [...others.filter(({ type }) => type !== 'Dangling'), condition];
    const judged = { ...schema, status: { ...schema.status, conditions } };
    const writer = {
      manager: 'api-priority-and-fairness-config-consumer-v1',
      now: condition.lastTransitionTime,
      applied: { status: { conditions: [condition] } },
    };
    store.put(schemaCollection, withStatusOwner(schema, judged, writer));
  }
}

function reasonFor(level: string, isDangling: boolean): { readonly reason: string; readonly message: string } {
  const object = `the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return isDangling
    ? { reason: 'NotFound', message: `This FlowSchema references ${object} but there is no such object` }
    : { reason: 'Found', message: `This FlowSchema references ${object} and it exists` };
}
