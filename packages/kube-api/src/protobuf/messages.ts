import { readOwn } from '@nodewright/apis';
import { messagesJson } from './messages.generated.ts';

/** How a field stands in the JSON form: by itself, in a list, in a map, or as members of its parent. */
export type FieldShape = 'list' | 'map' | 'inline';

export type MessageField = readonly [number: number, name: string, type: string, shape?: FieldShape];

type MessageTable = {
  /** Message names by `group/version/kind`. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, readonly MessageField[]>>;
};

let loadedTable: MessageTable | undefined;
const messageTable = (): MessageTable => (loadedTable ??= JSON.parse(messagesJson) as MessageTable);

/** The message that a kind is sent as. Options of a delete are the same in every group. */
export function findMessage(apiVersion: string, kind: string): string | undefined {
  const key = apiVersion.includes('/') ? `${apiVersion}/${kind}` : `/${apiVersion}/${kind}`;
  return readOwn(messageTable().kinds, kind === 'DeleteOptions' ? '/v1/DeleteOptions' : key);
}

export const messageFields = (message: string): readonly MessageField[] | undefined =>
  readOwn(messageTable().messages, message);
