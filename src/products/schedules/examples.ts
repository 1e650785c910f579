/** Values of the documents that no schema shows itself. */
import type { Examples } from "../../model/product.ts";

export const schedulesExamples: Examples = {
  from: "2026-11-24",
  to: "2026-12-20",
  day: "2026-11-21",
  "readVessel.NOT_FOUND": "no call of a vessel with the IMO number 9321483 is known here",
  "readPortCallHistory.NOT_FOUND": "no call with this id is known here",
  "POST /v1/schedules/{feed}": {
    summary: "Push sailing schedules of a feed",
    status: 202,
    path: { feed: "myna-ports" },
    body: [
      {
        location: { UNLocationCode: "SGSIN" },
        vesselSchedules: [
          {
            vessel: { vesselIMONumber: "9321483", name: "HERON DAWN" },
            servicePartners: [
              { carrierCode: "MYNA", carrierServiceCode: "M1", carrierExportVoyageNumber: "914E" },
            ],
            timestamps: [
              {
                eventTypeCode: "DEPA",
                eventClassifierCode: "EST",
                eventDateTime: "2026-12-03T21:00:00+08:00",
              },
            ],
          },
        ],
      },
    ],
    answer: { accepted: 1, complete: false, problems: [] },
  },
};
