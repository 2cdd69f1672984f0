import type { FetchOptions, FetchResponse } from 'openapi-fetch'
import type {
  FilterKeys,
  HttpMethod,
  MediaType,
  PathsWithMethod,
  RequiredKeysOf,
} from 'openapi-typescript-helpers'

import type { components, paths } from './gen/api.ts'
import type { LIST_MEMBERS } from './gen/facts.ts'

/** The schemas of the API by name, e.g. `Schemas['DeployResult']`. */
export type Schemas = components['schemas']

/** A response with a status of 2xx. */
export interface Answer<Data> {
  readonly data: Data
  /** Status and headers. The body has been read, unless `parseAs` is `stream`. */
  readonly response: Response
}

/** How a body is returned; by default JSON is parsed, and other types are text. */
export type ParseAs = NonNullable<FetchOptions<unknown>['parseAs']>

/** Parameters, body and options of a request. */
export type Init<
  Path extends PathsWithMethod<paths, Name>,
  Name extends HttpMethod,
  As extends ParseAs = 'json',
> = FetchOptions<FilterKeys<paths[Path], Name>> & { readonly parseAs?: As }

/** Arguments after the path: an object that is optional if all its members are. */
export type InitArguments<Options> =
  RequiredKeysOf<Options> extends never ? [init?: Options] : [init: Options]

/** A typed method of the client, as `client.GET(path, { params })`. */
export type Method<Name extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Name>,
  As extends ParseAs = 'json',
>(
  path: Path,
  ...init: InitArguments<Init<Path, Name, As>>
) => Promise<Answer<DataOf<paths[Path][Name], { parseAs: As }>>>

type DataOf<Operation, Options> =
  Operation extends Record<string | number, unknown>
    ? NonNullable<FetchResponse<Operation, Options, MediaType>['data']>
    : never

/** The paths whose GET returns a list in pages. */
export type ListPath = keyof typeof LIST_MEMBERS & PathsWithMethod<paths, 'get'>

/** A page of a list, as the API returns it. */
export type PageOf<Path extends ListPath> = DataOf<paths[Path]['get'], object>

/** An entry of a list. */
export type ItemOf<Path extends ListPath> =
  PageOf<Path> extends Record<(typeof LIST_MEMBERS)[Path], readonly (infer Item)[]> ? Item : never

/** Options of a list. `limit` in the query is the size of a page. */
export type ListInit<Path extends ListPath> = FetchOptions<FilterKeys<paths[Path], 'get'>>
