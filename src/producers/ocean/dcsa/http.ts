/** The names by which the port to the network is still imported here. */
export {
  httpOn as httpGetWith,
  type HttpAnswer,
  type HttpOptions as HttpGetOptions,
  type HttpPort as HttpGet,
} from "../../upstream/http.ts";
