package receiver

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

func serve(t *testing.T, options Options) func(method, body string) int {
	t.Helper()
	vector := readVectors(t)[0]
	options.Secrets = []string{vector.Secret}
	if options.OnError == nil {
		options.OnError = func(error, *Delivery) {}
	}
	handler, err := NewHandler(options)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return func(method, body string) int {
		if body == "" {
			body = vector.Body
		}
		request, _ := http.NewRequest(method, server.URL, strings.NewReader(body))
		request.Header = vector.header("Tracking")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, answer.Body)
		return answer.StatusCode
	}
}

func expect(t *testing.T, got, wanted int) {
	t.Helper()
	if got != wanted {
		t.Errorf("got %d, want %d", got, wanted)
	}
}

// spec 6.1: at_least_once
func TestOnce(t *testing.T) {
	handled := 0
	send := serve(t, Options{OnDelivery: func(context.Context, *Delivery) error {
		handled++
		if handled == 1 {
			return errors.New("no room")
		}
		return nil
	}})
	expect(t, send("POST", ""), 500)
	expect(t, send("POST", ""), 204)
	expect(t, send("POST", ""), 204)
	expect(t, handled, 2)
}

func TestBusy(t *testing.T) {
	started, finish := make(chan bool), make(chan bool)
	send := serve(t, Options{OnDelivery: func(context.Context, *Delivery) error {
		started <- true
		<-finish
		return nil
	}})
	var first sync.WaitGroup
	first.Add(1)
	go func() { defer first.Done(); expect(t, send("POST", ""), 204) }()
	<-started
	expect(t, send("POST", ""), 409)
	finish <- true
	first.Wait()
	expect(t, send("POST", ""), 204)
}

func TestRefusals(t *testing.T) {
	refused := 0
	send := serve(t, Options{
		OnDelivery: func(context.Context, *Delivery) error { t.Error("handled"); return nil },
		OnInvalid:  func(*InvalidError, *http.Request, []byte) { refused++ },
	})
	expect(t, send("GET", "x"), 405)
	expect(t, send("POST", "{}"), 401)
	expect(t, send("POST", strings.Repeat(" ", BodyBytesMax+1)), 413)
	expect(t, refused, 2)
}

func TestAPanicReleasesTheDelivery(t *testing.T) {
	seen := NewMemorySeen(0)
	vector := readVectors(t)[0]
	handler, _ := NewHandler(Options{
		Secrets:    []string{vector.Secret},
		Seen:       seen,
		OnDelivery: func(context.Context, *Delivery) error { panic("bug") },
	})
	request := httptest.NewRequest("POST", "/", strings.NewReader(vector.Body))
	request.Header = vector.header("Air")
	func() {
		defer func() { expect(t, map[bool]int{true: 1}[recover() == "bug"], 1) }()
		handler.ServeHTTP(httptest.NewRecorder(), request)
	}()
	claim, _ := seen.Claim(context.Background(), vector.Delivery, time.Second)
	expect(t, int(claim), int(Claimed))
}

type broken struct{ SeenStore }

func (broken) Complete(context.Context, string) error { return errors.New("gone") }

func TestAStoreThatFails(t *testing.T) {
	send := serve(t, Options{
		Seen:       broken{NewMemorySeen(0)},
		OnDelivery: func(context.Context, *Delivery) error { return nil },
	})
	expect(t, send("POST", ""), 204)
}

func TestASecretIsRequiredAtTheStart(t *testing.T) {
	if _, err := NewHandler(Options{}); !errors.Is(err, ErrNoSecret) {
		t.Error(err)
	}
}

func TestMemorySeen(t *testing.T) {
	now := time.Unix(0, 0)
	store := NewMemorySeen(10).(*memorySeen)
	store.now = func() time.Time { return now }
	claim := func(id string) int {
		claimed, _ := store.Claim(context.Background(), id, 30*time.Second)
		return int(claimed)
	}
	expect(t, claim("a"), int(Claimed))
	expect(t, claim("a"), int(Busy))
	now = now.Add(30 * time.Second)
	expect(t, claim("a"), int(Claimed))
	_ = store.Complete(context.Background(), "a")
	expect(t, claim("a"), int(Done))
	now = now.Add(SeenTime)
	expect(t, claim("a"), int(Claimed))
	_ = store.Release(context.Background(), "a")
	for range [100]int{} {
		now = now.Add(time.Millisecond)
		_ = store.Complete(context.Background(), now.String())
	}
	expect(t, len(store.entries), 10)
	expect(t, store.order.Len(), 10)
}
