import { createHash } from 'node:crypto';
import { mergeRecords } from '@nodewright/apis';
import { openApiDefinitions } from '../builtin/definitions.ts';
import type { Registry } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';
import type { JsonObject } from '../schema/json.ts';
import { componentSchemas } from './components.ts';
import { version2Protobuf } from './version2-protobuf.ts';
import { pathsOf } from './paths.ts';

/** The OpenAPI documents of what is served right now. */
export class OpenApiDocuments {
  readonly #registry: Registry;
  readonly #minor: number;
  readonly #made = new Map<string, string>();

  constructor(registry: Registry, minor: number) {
    this.#registry = registry;
    this.#minor = minor;
  }

  /** `GET /openapi/v3`: where each group and version is described. The hash changes with the description. */
  index(): JsonObject {
    const places = [...new Set(this.#registry.resources().map(placeOf))].toSorted();
    return {
      paths: Object.fromEntries(
        places.map((place) => [place, { serverRelativeURL: `/openapi/v3/${place}?hash=${this.hashOf(place)}` }]),
      ),
    };
  }

  /** A group and version, by its place such as `apis/apps/v1`; undefined when it is not served. */
  version3(place: string): string | undefined {
    const made = this.#made.get(place) ?? this.#make(place);
    if (made !== undefined) this.#made.set(place, made);
    return made;
  }

  hashOf(place: string): string {
    const inputs = this.#at(place).map(({ plural, schema, custom }) => [plural, custom === undefined ? '' : schema]);
    const text = JSON.stringify([this.#minor, place, inputs]);
    return createHash('sha512').update(text).digest('hex').toUpperCase();
  }

  /** `GET /openapi/v2`: everything in one document. */
  version2(): JsonObject {
    return {
      swagger: '2.0',
      info: this.#info(),
      paths: {},
      definitions: openApiDefinitions(),
    };
  }

  /** The same in protocol buffers, which older clients read only. */
  version2Protobuf(): Uint8Array {
    return version2Protobuf(this.#registry.resources(), `v1.${this.#minor}`);
  }

  #make(place: string): string | undefined {
    const resources = this.#at(place);
    if (resources.length === 0) return undefined;
    return JSON.stringify({
      openapi: '3.0.0',
      info: this.#info(),
      paths: mergeRecords(resources.map(pathsOf)),
      components: { schemas: componentSchemas(resources) },
    });
  }

  #at(place: string): readonly Resource[] {
    return this.#registry.resources().filter((resource) => placeOf(resource) === place);
  }

  #info(): JsonObject {
    return { title: 'Kubernetes', version: `v1.${this.#minor}` };
  }
}

const placeOf = (resource: Resource): string =>
  resource.group === '' ? `api/${resource.version}` : `apis/${groupVersion(resource)}`;
