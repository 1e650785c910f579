package receiver

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
)

type vector struct {
	Name, Body, Secret, Signature, Event, Delivery, Verdict string
	BodyBase64                                              string `json:"body_base64"`
}

// readVectors reads the vectors that all of Boathook's receivers share.
func readVectors(t testing.TB) []vector {
	t.Helper()
	text, err := os.ReadFile("../receiver/vectors.json")
	if err != nil {
		t.Skip("the vectors are in Boathook's repository: ", err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for at, one := range file.Vectors {
		if one.BodyBase64 != "" {
			body, _ := base64.StdEncoding.DecodeString(one.BodyBase64)
			file.Vectors[at].Body = string(body)
		}
	}
	return file.Vectors
}

func (v vector) header(product string) http.Header {
	header := http.Header{}
	header.Set("X-"+product+"-Signature", v.Signature)
	header.Set("X-"+product+"-Event", v.Event)
	header.Set("X-"+product+"-Delivery", v.Delivery)
	return header
}

func verdict(err error) string {
	if err == nil {
		return "ok"
	}
	return errors.Unwrap(err).Error()
}

// spec 5.1: comparison
func TestEveryVector(t *testing.T) {
	for _, vector := range readVectors(t) {
		t.Run(vector.Name, func(t *testing.T) {
			_, err := Verify([]byte(vector.Body), vector.header("Tracking"), vector.Secret)
			if verdict(err) != vector.Verdict {
				t.Errorf("got %s, want %s", verdict(err), vector.Verdict)
			}
		})
	}
}

func TestWhatItReturns(t *testing.T) {
	vector := readVectors(t)[0]
	delivery, err := Verify([]byte(vector.Body), vector.header("Tracking"), "whsec_other", vector.Secret)
	if err != nil {
		t.Fatal(err)
	}
	var data struct{ Identifier string }
	if err := json.Unmarshal(delivery.Data, &data); err != nil || data.Identifier != "MSKU1234565" {
		t.Error(data, err)
	}
	if delivery.Product != "tracking" || delivery.OccurredAt != "2026-11-20T08:15:00.000Z" {
		t.Error(delivery)
	}
}

func TestMissingAndRepeatedHeaders(t *testing.T) {
	vector := readVectors(t)[0]
	check := func(wanted string, change func(http.Header)) {
		t.Helper()
		header := vector.header("Tracking")
		change(header)
		if _, err := Verify([]byte(vector.Body), header, vector.Secret); verdict(err) != wanted {
			t.Errorf("got %s, want %s", verdict(err), wanted)
		}
	}
	for _, part := range []string{"Signature", "Event", "Delivery"} {
		name := "X-Tracking-" + part
		check("missing_header", func(header http.Header) { header.Del(name) })
		check("duplicate_header", func(header http.Header) { header.Add(name, header.Get(name)) })
	}
	check("ok", func(header http.Header) { header["x-proxy-signature"] = []string{"sha256="} })
	check("duplicate_header", func(header http.Header) {
		for name, values := range vector.header("Air") {
			header[name] = values
		}
	})
}

func TestFieldsInAnotherCaseAreNotTheDeliverys(t *testing.T) {
	for _, body := range []string{
		`{"ID":"019a9c1e-7a10-7c3e-9d55-3f2b8c6d4e01","type":"a","occurred_at":"b","data":{}}`,
		`{"id":null,"type":"a","occurred_at":"b","data":{}}`,
		`{"id":"019a9c1e-7a10-7c3e-9d55-3f2b8c6d4e01","type":"a","occurred_at":"b","data":[]}`,
	} {
		if parse([]byte(body)) != nil {
			t.Error(body)
		}
	}
}

func TestMistakesOfTheProgram(t *testing.T) {
	vector := readVectors(t)[0]
	for _, secrets := range [][]string{nil, {""}, {vector.Secret, ""}, make([]string, 33)} {
		if _, err := Verify([]byte(vector.Body), vector.header("Air"), secrets...); !errors.Is(err, ErrNoSecret) {
			t.Error(secrets, err)
		}
	}
}

func TestABodyThatIsTooLarge(t *testing.T) {
	vector := readVectors(t)[0]
	body := []byte(strings.Repeat(" ", BodyBytesMax+1))
	if _, err := Verify(body, vector.header("Air"), vector.Secret); !errors.Is(err, ErrBodyTooLarge) {
		t.Error(err)
	}
}

// FuzzVerify looks for a panic, and for a changed body that verifies.
func FuzzVerify(f *testing.F) {
	vectors := readVectors(f)
	for _, one := range vectors {
		f.Add([]byte(one.Body), one.Signature, one.Event, one.Delivery)
	}
	known := map[string]bool{}
	for _, one := range vectors {
		known[one.Body] = true
	}
	secret := vectors[0].Secret
	f.Fuzz(func(t *testing.T, body []byte, signature, event, delivery string) {
		header := vector{Signature: signature, Event: event, Delivery: delivery}.header("Air")
		verified, err := Verify(body, header, secret)
		var invalid *InvalidError
		if err != nil && !errors.As(err, &invalid) {
			t.Fatal(err)
		}
		if err == nil && (!known[string(body)] || verified.ID != delivery || verified.Type != event) {
			t.Fatalf("verified: %q", body)
		}
		parse(body)
	})
}
