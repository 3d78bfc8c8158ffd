import type { JsonObject } from '../schema/json.ts';

/** A request to a webhook. */
export type WebhookRequest = {
  /** With the timeout as a query parameter. */
  readonly url: string;
  /** PEM of the authorities that the webhook's certificate may be signed by; those of the system without it. */
  readonly ca?: string;
  readonly body: JsonObject;
  readonly timeoutMs: number;
};

/** The body of a webhook's answer, or why there is none, in the words of a real server. */
export type WebhookAnswer =
  | { readonly kind: 'answered'; readonly body: unknown }
  | { readonly kind: 'failed'; readonly error: string };

/** What a real server says of an answer that is no JSON. */
export const unreadableAnswer =
  'couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Sends a request to a webhook. It never rejects: what goes wrong is part of the answer. */
export type CallWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>;

/** A verb has to wait for webhooks. The request is served again with their answers. */
export class PendingWebhooks extends Error {
  override readonly name = 'PendingWebhooks';
  readonly requests: readonly WebhookRequest[];

  constructor(requests: readonly WebhookRequest[]) {
    super('waits for webhooks');
    this.requests = requests;
  }
}

/**
 * The answers that webhooks have given to one request of a client. Verbs run without a pause, so one that needs an answer
 * that is not there ends with `PendingWebhooks` and runs again.
 */
export class WebhookAnswers {
  readonly #answers = new Map<string, WebhookAnswer>();

  find(request: WebhookRequest): WebhookAnswer | undefined {
    return this.#answers.get(keyOf(request));
  }

  keep(request: WebhookRequest, answer: WebhookAnswer): void {
    this.#answers.set(keyOf(request), answer);
  }
}

const keyOf = ({ url, body }: WebhookRequest): string => `${url} ${JSON.stringify(body)}`;
